"""Vendors whose clients act on other machines: how programs name them, and which of their calls send.

Owns the names, in all languages but Python (``shell.code.python.services``). Does not own reading the code
(``shell.code.twins``, ``shell.code.client_calls``). Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.text.patterns import found_in, pattern

_MAIL = (
    "sendgrid|mailgun|postmark|resend|mailjet|mailersend|mailerlite|sparkpost|mandrill|mailchimp|brevo|sib-api"
    "|sendinblue|elasticemail|klaviyo|customerio|mailtrap|zeptomail|plunk|listmonk|convertkit|activecampaign"
)
_SMS = (
    "twilio|vonage|nexmo|messagebird|plivo|sinch|africastalking|telnyx|clicksend|infobip|bandwidth-sdk|smsapi"
    "|textmagic|d7sms|sms77|seven-api"
)
_PUSH = (
    "firebase-admin|firebase_admin|firebase\\.google\\.com/go|firebase\\.messaging|expo-server-sdk|exponent_server_sdk|web-push|webpush|onesignal|apns2|node-apn|apnotic"
    "|airship|pushwoosh|pushy|courier|novu|knocklabs|fcm|rpush|kreait|wonderpush"
)
_CHAT = (
    "slack|telegraf|telegram|teloxide|nutgram|discord|discordgo|serenity|matrix-js-sdk|whatsapp|mattermost|viber"
    "|line-bot|microsoft-teams|rocketchat"
)
MESSENGERS = f"{_MAIL}|{_SMS}|{_PUSH}|{_CHAT}"
"""Words in the names of clients that send messages to people."""
_CLOUDS = {
    # words in the names of a client → the host that it talks to
    "octokit|go-github|octocrab|org\\.kohsuke\\.github|github_api": "api.github.com",
    "go-gitlab|gitlab-org/api|gitbeaker|gitlab4j": "gitlab.com",
    "stripe": "api.stripe.com",
    "braintree|paypal|adyen|mollie|razorpay|coinbase|plaid|gocardless|paddle": "api.payments.example.com",
    "cloudflare": "api.cloudflare.com",
    "godo|digitalocean|droplet_kit|dropletkit": "api.digitalocean.com",
    "hcloud|hetzner": "api.hetzner.cloud",
    "linodego|govultr|scaleway|upcloud|ovh": "api.cloud.example.com",
    "go-tfe|dnsimple|ns1-go|fastly|heroku|vercel|netlify|flyctl": "api.hosting.example.com",
    "pagerduty|opsgenie|statuspage": "api.pagerduty.com",
    "datadog|grafana-openapi|newrelic": "api.datadoghq.com",
    "okta|auth0|clerk|workos": "api.auth0.com",
    "shopify|contentful|algolia|hubspot|salesforce|zendesk|intercom": "api.saas.example.com",
}


def imported(words: str) -> str:
    """How a program of any language names a client with these words: imports, and names before ``::``."""
    return (
        rf"(?i:(?:\b(?:from|require\w*|import|use|gem)\b[\s(]*[\"']|[\"'](?=[@\w.-]*/))(?!\.)[@\w./-]*?(?:{words})[\w./:-]*[\"']"
        rf"|(?m:^)[ \t]*(?:import|use|using|alias|from)[ \t]+[^\n'\"]*\b(?:{words})"
        rf"|=[ \t]*(?:@[\w-]+/)?(?:node-)?(?:{words})[\w./-]*[;,.(\n]"
        rf"|(?<![\w-])(?:{words})\w*(?:::|\\(?!n))|\bnew\s+\\?(?:{words})\w*\()"
    )


MESSENGER = imported(MESSENGERS)
CLOUDS = tuple((host, imported(words), words) for words, host in _CLOUDS.items())
"""The host of a vendor, how its client is imported, and the words in its names."""
SENDS = pattern(
    r"(?:send|deliver|notify|broadcast)(?:_?(?!file|status|header|json|redirect|signal|keys|command)[A-Za-z]\w*)?!?"
    r"|chat_?[pP]ostMessage|post_?[mM]essage"
)
"""The names of calls that send a message."""
_MESSAGES = pattern(
    r"(?i)messages|emails|campaigns|broadcasts|calls|notifications|sms|verifications"
)
_ANSWERS = pattern(
    r"(?i)(?:res|resp|response|reply|ctx|c|w|rw|context|socket|sock|ws|wss|conn|connection|process|parentport|worker|port|child"
    r"|event|window|io|ch|tx|queue|sender|http|https|xhr|req|request|this|self|object|super|__|public)$"
)
"""Names of what sends to no person: an answer, a socket, a thread, or an object of the program itself."""


_DECLARES = (
    r"(?:\b(?:function|def|const|let|var)\s+(?:self\.)?|\bimport\b[^;'\"]*"
    r"|\b(?:const|let|var)\s*\{[^{}]*)"
)


def is_messenger(name: str, code: str, *, is_member: bool = False) -> bool:
    """Whether a call sends by its name, and may be one of a client of a vendor that code names."""
    *holders, last = re.split(r"[.:>()]+|->", name)
    holder = holders[-1].lstrip("$@") if holders else ""
    is_sent = SENDS.fullmatch(last) and not _ANSWERS.match(holder)
    is_made = last == "create" and _MESSAGES.fullmatch(holder)
    if not (is_sent or is_made) or not _names_messenger(code):
        return False
    # A function of the program itself is read where it is.
    is_plain = not holder and not is_member
    return not (is_plain and re.search(rf"{_DECLARES}\b{re.escape(last)}\b", code))


@lru_cache(maxsize=16)
def _names_messenger(code: str) -> bool:
    return _has_word(MESSENGERS, code.lower()) and found_in(MESSENGER, code)


@lru_cache(maxsize=16)
def _clients_in(code: str) -> tuple[tuple[str, str], ...]:
    """The hosts of the vendors whose clients code names, and the words in their names."""
    lower = code.lower()
    return tuple(
        (host, words)
        for host, uses, words in CLOUDS
        if _has_word(words, lower) and found_in(uses, code)
    )


def _has_word(words: str, lower: str) -> bool:
    """Whether a text in small letters holds one of the words: far quicker than how they are imported."""
    return any(word in lower for word in words.replace("\\", "").split("|"))


_TRIAL = pattern(r"['\"][sr]k_test_")
_REAL = pattern(r"(?i)[sr]k_live_|\benv\b|getenv|secret|config")
"""A key with which nothing is paid, and where another one may come from."""


def host_of(name: str, code: str) -> str:
    """The host of the client whose object a call names first: ``cf`` of ``cf.dns.records.delete``."""
    holder = re.split(r"[.:>]", name.lstrip("$@"))[0]
    is_plain = re.fullmatch(r"\w+", holder) and re.search(r"[.>:]_?[a-z]\w*$", name)
    for host, words in _clients_in(code) if is_plain else ():
        made = rf"(?i:\b{holder}\s*=\s*(?:await\s+)?(?:new\s+)?\\?[\w.:]*(?:{words}))"
        is_trial = words == "stripe" and _TRIAL.search(code) and not _REAL.search(code)
        if not is_trial and (re.search(made, code) or re.match(rf"(?i:{words})", holder)):
            return host
    return ""


# end of module
