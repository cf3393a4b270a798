"""Calls of vendors' clients in rarer languages that reach people, money, clouds or the accounts of others.

Owns the rows: what such a call looks like, which library it is of, and the host that it changes. Data alone.
Does not own searching for them (``shell.code.client_calls``), nor the languages that are read token by token
(``shell.code.twins``) or followed (``shell.code.python.twins``).
"""

from __future__ import annotations

from operators_edge.tuples import NamedTuple


class Service(NamedTuple):
    """What ``calls`` of a vendor's library look like, how code names it, and the host that they change."""

    calls: str
    library: str
    host: str


_CHANGES = (
    r"(?<!\bos)(?<!\bstrings)(?<!\bbytes)(?<!\bfilepath)\.(?!(?:CreateTemp|RemoveAll|AddCommand|AddFlag\w*)\()"
    r"(?:(?:[cC]reate|[uU]pdate|[dD]elete|[rR]emove|[eE]dit|[cC]ancel|[tT]ransfer|[mM]erge|[iI]nvite|[dD]estroy|[rR]eboot"
    r"|[tT]erminate|[aA]rchive|[rR]evoke|[aA]dd)[A-Z_]\w*"
    r"|[cC]reate|[uU]pdate|[dD]elete|[rR]emove|[eE]dit|[cC]ancel|[dD]estroy|[mM]erge|[rR]evoke)(?:Async)?!?\("
)
"""What changes something by any client."""
_CLOUDS = {
    # how code names the client → the host that it talks to
    r"go-github\b|\boctocrab\b|org\.kohsuke\.github|\busing\sOctokit": "api.github.com",
    r"go-gitlab\b|gitlab-org/api|org\.gitlab4j|\bNGitLab\b": "gitlab.com",
    r"cloudflare-go\b|\bcloudflare::|CloudFlare\.Client": "api.cloudflare.com",
    r"digitalocean/godo\b|\bDigitalOcean\.API": "api.digitalocean.com",
    r"hcloud-go\b|hcloud::": "api.hetzner.cloud",
    r"\blinodego\b|\bgovultr\b|scaleway-sdk-go|upcloud-go-api|ovh/go-ovh": "api.linode.com",
    r"hashicorp/go-tfe|\bdnsimple-go\b|go-fastly\b|ns1-go\b|heroku-go\b": "app.terraform.io",
    r"go-pagerduty\b|opsgenie-go-sdk|datadog-api-client": "api.pagerduty.com",
    r"okta-sdk|go-auth0\b|com\.auth0\b|\busing\sAuth0": "api.auth0.com",
}
SERVICES = (
    *(Service(_CHANGES, library, host) for library, host in _CLOUDS.items()),
    Service(
        r"\b(?:Message|Call|Fax|Verification)\.creator\(|\b(?:Message|Call|Verification)Resource\.Create(?:Async)?\("
        r"|\.Create(?:Message|Call|Verification|Fax)\(|\bmessages\s*(?:\(\))?(?:\.|->)create\(",
        r"com\.twilio\b|\busing\sTwilio|twilio-go|twilio[-_]rust|Twilio\\\\|\btwilio\b",
        "api.twilio.com",
    ),
    Service(
        r"\.api\(\s*\w*[rR]eq\w*|\.SendEmailAsync\(|\bclient\.Send(?:WithContext)?\(|->send\(",
        r"com\.sendgrid\b|\busing\sSendGrid|sendgrid-go|SendGrid\\\\",
        "api.sendgrid.com",
    ),
    Service(
        r"\.sendMessage\(|\bmg\w*\.Send\(|\.send(?:Transac)?Email\w*\(|\.deliverMessage\(|\.SendMessageAsync\(",
        r"com\.mailgun\b|mailgun-go|com\.postmarkapp|postmark|com\.mailjet|mailjet|brevo|sendinblue|mandrill|sparkpost|resend",
        "api.mailgun.net",
    ),
    Service(
        r"(?i:\bsend_?(?:bulk_?|raw_?|templated_?)*e_?mail\w*\()",
        r"(?i:\bses(?:v2)?\b|\.ses(?:v2)?\.|simple_?email)",
        "email.us-east-1.amazonaws.com",
    ),
    Service(
        r"(?i:\bpublish(?:_?batch|_?async)?\()",
        r"(?i:\.sns\.|service/sns\b|\bsns_?client\b|SimpleNotificationService|ExAws\.SNS)",
        "sns.us-east-1.amazonaws.com",
    ),
    Service(
        r"(?i:\b(?:submit_?message|send_?sms|send_?an_?sms|send_?message)(?:async|s)?\()",
        r"(?i:com\.vonage|com\.nexmo|vonage|nexmo|messagebird|plivo|sinch|telnyx|infobip|clickatell|com\.bandwidth)",
        "rest.nexmo.com",
    ),
    Service(
        r"\bchatPostMessage\(|\bPostMessage(?:Context)?\(|\bchat_post_message\(|\bPostWebhook(?:Context)?\("
        r"|\bfilesUpload\w*\(|\.UploadFile(?:V2)?\(",
        r"com\.slack\.api|slack-go/slack|SlackNet|SlackAPI|slack_morphism|slack_web",
        "slack.com",
    ),
    Service(
        r"\.send(?:Multicast|Each\w*|All|Async)?\(|\.Send(?:Multicast|Each\w*|All)?(?:Async)?\(",
        r"FirebaseMessaging\b|firebase\.google\.com/go/(?:v\d+/)?messaging|firebase_admin|fcm[-_](?:django|v1|client)|\bPigeon\.|apns2?\b|pushy\b",
        "fcm.googleapis.com",
    ),
    Service(
        r"\bexecute\(\s*(?:new\s+)?\w*[sS]end\w*|\bbot\.(?:[sS]end\w*|execute)\(|\bSendTextMessage(?:Async)?\(",
        r"org\.telegram|telegram-bot-api|telebot|Telegram\.Bot|teloxide|com\.pengrad|kotlin-telegram-bot|televerse|teledart",
        "api.telegram.org",
    ),
    Service(
        r"\bsendMessage\(|\bChannelMessageSend\w*\(|\bSendMessageAsync\(|\bExecuteWebhook\(|\.say\(",
        r"net\.dv8tion\.jda|discordgo|Discord\.WebSocket|\bDSharpPlus|\bserenity\b|\bNostrum\b|discord4j|nyxx",
        "discord.com",
    ),
    Service(
        r"\b(?:Charge|PaymentIntent|Refund|Transfer|Payout|Subscription|Invoice\w*|Customer)\.create\("
        r"|\bnew \w*(?:Charge|PaymentIntent|Refund|Transfer|Payout|Subscription|Invoice\w*)Service\("
        r"|\b(?:charge|paymentintent|refund|transfer|payout|sub|subscription|invoice(?:item)?)\.New\("
        r"|\b(?:Charge|PaymentIntent|Refund|Transfer|Payout|Subscription|Invoice)::create\("
        r"|\bStripe\.(?:Charge|PaymentIntent|Refund|Transfer|Payout|Subscription|Invoice)\.create\(",
        r"com\.stripe\b|stripe-go|\busing\sStripe|stripity|async[-_]stripe|\bStripe\\\\",
        "api.stripe.com",
    ),
    Service(
        r"\.transaction\(\)\.(?:sale|refund|submitForSettlement)\(|\.Transaction\.(?:Sale|Refund)(?:Async)?\("
        r"|\b(?:payouts?|payments?|refunds?)\w*\.(?:create|capture|Create|Capture)\(",
        r"com\.braintreegateway|\busing\sBraintree|braintree-go|com\.paypal|PayPalCheckoutSdk|com\.adyen|com\.mollie|com\.razorpay|com\.squareup\.square",
        "api.braintreegateway.com",
    ),
)


class Platform(NamedTuple):
    """The same with the command line that does what such a call does."""

    calls: str
    library: str
    command: str


_OF_AWS = (
    r"\b(?:\w*[cC]lient\w*|\w{1,8}|svc|iam|ec2|rds|r53|route53|lambda|ecs|eks)(?:\.|->)"
    r"(?:[aA]ttach|[dD]etach|[cC]reate|[dD]elete|[tT]erminate|[sS]top|[rR]eboot|[mM]odify|[cC]hange|[uU]pdate|[aA]uthorize"
    r"|[rR]evoke|[dD]isable|[dD]eregister|[rR]un|[rR]estore|[rR]emove|[sS]chedule|[pP]ut)"
    r"(?:User|Role|Group|Polic|Instance|Access|Login|Bucket|Resource|Record|Hosted|DB|Db|Cluster|Stack|Function|Security"
    r"|Snapshot|Volume|Image|Service|Task|Table|Key|Secret|Parameter|Load|Target|Auto|Node|Vpc|Subnet|Distribution|Certificate"
    r"|Domain|Alias|Topic|Queue|Event|Public|A[cC][lL]|Grant)\w*\("
    r"|\.[aA]dd(?:UserToGroup|RoleToInstanceProfile|Permission|ClientID\w*)(?:Async)?\("
)
_OF_AWS_IN_RUST = (
    r"\.(?:attach|detach|create|delete|terminate|stop|reboot|modify|change|update|authorize|revoke|disable|deregister|run|restore"
    r"|remove|put|add)_(?:user|role|group|polic|instance|access|login|bucket|resource|hosted|db|cluster|stack|function|security"
    r"|snapshot|volume|image|service|task|table|key|secret|parameter|load|target|auto|node|vpc|subnet|distribution|certificate"
    r"|domain|alias|topic|queue|public|acl|permission|grant)\w*\(\)"
)
_OF_GOOGLE = r"\b[sS]et_?[iI]am_?[pP]olicy\w*\(|\.IAM\(\)\.SetPolicy\(|\.ACL\(\)\.(?:Set|Delete)\("
_OF_GOOGLE_BY_NAME = (
    r"\.(?i:firewalls|firewallPolicies|instances|networks|subnetworks|routes|disks|snapshots|addresses|forwardingRules|databases"
    r"|managedZones|changes|resourceRecordSets|projects|clusters|buckets|bucketAccessControls|serviceAccounts|keys|users|topics"
    r"|subscriptions|backendServices)(?:\(\))?\.(?:[iI]nsert|[pP]atch|[uU]pdate|[dD]elete|[cC]reate|[sS]top|[rR]eset|[sS]et[A-Z]\w*"
    r"|[rR]emove\w*|[rR]estore\w*)\("
)
_OF_GOOGLE_BY_REQUEST = (
    r"\b(?:compute|container|run|functions|resourcemanager|iam|admin|dns|instance|database|secretmanager|kms|redis|filestore|orgpolicy)"
    r"pb\.(?:Insert|Delete|Patch|Update|Create|Stop|Reset|Set|Add|Remove|Destroy)\w+Request\{"
)
_DELETES_AT_GOOGLE = "gcloud compute instances delete x"
_OF_AZURE = (
    r"\.(?:Begin)?(?:CreateOrUpdate|Create|Update|Delete|Deallocate|PowerOff|Restart|Reimage|RunCommand)\(\s*(?:ctx|context\.)"
    r"|\.(?:CreateOrUpdate|Update|Delete|Deallocate|PowerOff|Restart|Reimage)(?:Async)?\(\s*(?:Azure\.)?WaitUntil\."
    r"|(?<!File)(?<!Files)(?<!Directory)\.(?:begin)?[dD]elete\w*\(|\.(?:apply|create|deallocate|powerOff|restart)\(\)|\.create_or_update\("
)
PLATFORMS = (
    Platform(
        _OF_AWS,
        r"aws/aws-sdk-go|software\.amazon\.awssdk|com\.amazonaws|aws\.sdk\.kotlin|\busing\sAmazon\.|\baws_sdk_\w+",
        "aws ec2 terminate-instances --instance-ids x",
    ),
    Platform(_OF_AWS_IN_RUST, r"\baws_sdk_\w+", "aws ec2 terminate-instances --instance-ids x"),
    Platform(
        _OF_AWS.replace(r"\(", r"\s*\{"),
        r"aws\.sdk\.kotlin",
        "aws ec2 terminate-instances --instance-ids x",
    ),
    Platform(
        _OF_GOOGLE,
        r"cloud\.google\.com/go/|google\.golang\.org/api/|com\.google\.cloud\.|com\.google\.api\.services|\bgoogle_cloud_\w+"
        r"|Google\.(?:Cloud|Apis)\.",
        _DELETES_AT_GOOGLE,
    ),
    Platform(
        _OF_GOOGLE_BY_NAME,
        r"google\.golang\.org/api/|com\.google\.api\.services",
        _DELETES_AT_GOOGLE,
    ),
    Platform(_OF_GOOGLE_BY_REQUEST, r"cloud\.google\.com/go/", _DELETES_AT_GOOGLE),
    Platform(
        r"\.(?:insert|delete|patch|update|stop|reset)\w*Async\(",
        r"com\.google\.cloud\.(?:compute|container|run|resourcemanager|functions)",
        _DELETES_AT_GOOGLE,
    ),
    Platform(
        _OF_AZURE,
        r"azure-sdk-for-go/sdk/resourcemanager|com\.azure\.resourcemanager|Azure\.ResourceManager|\bazure_mgmt_\w+",
        "az group delete --name x --yes",
    ),
    Platform(
        r"\.[sS]et_?[aA]ccess_?[pP]olicy(?:Async)?\(",
        r"storage/azblob|com\.azure\.storage|Azure\.Storage|\bazure_storage\w*",
        "az storage container set-permission --name x --public-access blob",
    ),
    Platform(
        r"\.(?:Firewall|Server|Volume|Network|LoadBalancer|Image|Zone|SSHKey|FloatingIP|PrimaryIP|Certificate)"
        r"\.(?:Create|Delete|Update|Set|Add|Remove|Attach|Detach|Apply|Change|Reset|Rebuild|Poweroff|Shutdown|Reboot)\w*\(",
        r"hetznercloud/hcloud-go",
        "hcloud server delete x",
    ),
    Platform(
        r"\b(?:rules|groups|servers|volumes|networks|subnets|ports|routers|floatingips|images|users|roles|projects|zones|recordsets"
        r"|snapshots|containers|objects)\.(?:Create|Delete|Update|Assign|Unassign|Add|Remove|Stop|Reboot|Rebuild|Resize)\w*\(",
        r"gophercloud/gophercloud",
        "openstack server delete x",
    ),
    Platform(
        r"\.(?:Namespaces|Pods|Deployments|Secrets|ConfigMaps|Services|StatefulSets|Jobs|PersistentVolume\w*)\([^)\n]*\)"
        r"\.Delete(?:Collection)?\(|\.(?:Delete(?:Collection)?|Evict)\((?:ctx|context|c\.)|\.delete\w*Namespaced?\w*\(|\.[dD]elete\(\s*&|\.deleteNamespaced\w*\(",
        r"k8s\.io/client-go/kubernetes|controller-runtime/pkg/client|io\.kubernetes\.client|io\.fabric8\.kubernetes|\bkube::",
        "kubectl delete namespace x",
    ),
    Platform(
        r"\.ImagePush\(|\bpushImageCmd\(|\bPushImage(?:Async)?\(|\bpush_image\(",
        r"docker/docker/client|moby/moby/client|go-dockerclient|com\.github\.dockerjava|Docker\.DotNet|\bbollard\b",
        "docker push registry.example.com/x",
    ),
    Platform(
        r"\.(?:Volume|Image|Container|System|Network)s?(?:Remove|Prune|sPrune)\w*\(",
        r"docker/docker/client|moby/moby/client|go-dockerclient|com\.github\.dockerjava|Docker\.DotNet|\bbollard\b",
        "docker volume rm x",
    ),
    Platform(
        r"\.Push(?:Context)?\((?:ctx, *)?&?(?:git\.)?PushOptions\{(?![^}\n]*\bForce:\s*true)"
        r"|\bNetwork\.Push\(|\.push\(\)\.(?:set|call)|\bremote\.push\(",
        r"go-git/go-git|org\.eclipse\.jgit|LibGit2Sharp|\bgit2::",
        "git push origin main",
    ),
)

# end of module
