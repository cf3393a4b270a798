"""Services that Python programs change by way of their libraries, as command lines.

Owns which libraries those are, and what publishes a model or a data set. Does not own following names to
their libraries (``shell.code.python.twins``).
"""

from __future__ import annotations

import ast

from operators_edge.shell.commands import HOLE
from operators_edge.text.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SERVICES = {
    # library → the host that its calls change
    "slack_sdk": "slack.com",
    "slack": "slack.com",
    "twilio": "api.twilio.com",
    "sendgrid": "api.sendgrid.com",
    "stripe": "api.stripe.com",
    "tweepy": "api.twitter.com",
    "telegram": "api.telegram.org",
    "discord": "discord.com",
    "github": "api.github.com",
    "gitlab": "gitlab.com",
    "jira": "api.atlassian.com",
    "mailchimp_marketing": "api.mailchimp.com",
    "mailchimp_transactional": "api.mailchimp.com",
    "mailjet_rest": "api.mailjet.com",
    "mailersend": "api.mailersend.com",
    "postmarker": "api.postmarkapp.com",
    "resend": "api.resend.com",
    "sparkpost": "api.sparkpost.com",
    "sib_api_v3_sdk": "api.brevo.com",
    "messagebird": "rest.messagebird.com",
    "vonage": "api.nexmo.com",
    "plivo": "api.plivo.com",
    "telnyx": "api.telnyx.com",
    "clicksend_client": "rest.clicksend.com",
    "africastalking": "api.africastalking.com",
    "firebase_admin": "fcm.googleapis.com",
    "pyfcm": "fcm.googleapis.com",
    "exponent_server_sdk": "exp.host",
    "pywebpush": "push.example.com",
    "onesignal": "onesignal.com",
    "onesignal_sdk": "onesignal.com",
    "telebot": "api.telegram.org",
    "aiogram": "api.telegram.org",
    "cloudflare": "api.cloudflare.com",
    "CloudFlare": "api.cloudflare.com",
    "hcloud": "api.hetzner.cloud",
    "digitalocean": "api.digitalocean.com",
    "pydo": "api.digitalocean.com",
    "linode_api4": "api.linode.com",
    "paypalrestsdk": "api.paypal.com",
    "braintree": "api.braintreegateway.com",
    "razorpay": "api.razorpay.com",
    "shopify": "api.shopify.com",
    "hubspot": "api.hubapi.com",
    "zenpy": "api.zendesk.com",
    "pdpyras": "api.pagerduty.com",
    "okta": "api.okta.com",
    "auth0": "api.auth0.com",
    "openai": "",  # it keeps nothing that others rely on
}
CHANGES = pattern(
    r"(?i)^(?:create|delete|remove|send|post|update|merge|publish|upload|cancel|archive|close|edit|transfer"
    r"|notify|broadcast|chat_\w+|files_upload\w*|add_\w+|set_\w+|refund|purge|destroy|reboot|shutdown|power_off|webpush|push)(?:_\w+)?$"
)
_PUSHES = pattern(r"push_to_(?:hub|hf_hub)\w*|publish_to_hub")
_UPLOADS = frozenset(
    "upload_file upload_folder upload_large_folder create_commit create_repo delete_repo delete_file"  # noqa: SIM905
    " delete_folder update_repo_visibility update_repo_settings move_repo super_squash_history"
    " dataset_upload model_upload dataset_create_new dataset_create_version kernels_push".split()
)
_HUBS = frozenset(("huggingface_hub", "kagglehub", "kaggle", "modelscope"))


def published_by(names: Sequence[str], node: ast.Call) -> Iterator[list[str]]:
    """``trainer.push_to_hub()``, ``HfApi().upload_folder(…)``, ``TrainingArguments(push_to_hub=True)``."""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else names[-1] if names else ""
    is_of_hub = bool(names) and names[0] in _HUBS
    is_asked = any(
        one.arg == "push_to_hub" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in node.keywords
    )
    if is_asked or _PUSHES.fullmatch(method) or (is_of_hub and method in _UPLOADS):
        yield ["huggingface-cli", "upload", _repository(node), "."]


def _repository(node: ast.Call) -> str:
    named = [
        one.value for one in node.keywords if one.arg in ("repo_id", "hub_model_id", "repo_name")
    ]
    for one in (*named, *node.args[:1]):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            return one.value
    return HOLE


# end of module
