"""What programs of rarer languages do to other machines by way of clients, as command lines.

Owns the rows of such calls, where their addresses are written, and what shows that a call stays here or waits
for an option. All files of a program are read together: the call is in one, the address in another. Pure:
text in, commands out. Does not own finding the files (``gate.disk.whole_programs``), nor the languages that
are read token by token (``shell.code.programs``) or followed (``shell.code.python.trace``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators_edge.shell.code.addresses import is_here
from operators_edge.shell.code.comments import without_comments
from operators_edge.shell.code.service_calls import PLATFORMS, SERVICES
from operators_edge.text.lines import starts_of_lines
from operators_edge.text.needed_words import may_be_in
from operators_edge.text.patterns import found_in, found_in_file, pattern
from operators_edge.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Act(NamedTuple):
    """A command line, the text that shows it and its position; ``is_doubtful``: it may not come to that."""

    command: str
    text: str
    position: int
    is_doubtful: bool


class Client(NamedTuple):
    """``calls`` change something at an address of a kind, if the program ``uses`` the client.

    A vendor's client knows the address itself: its kind is "".
    """

    calls: str
    address: str
    command: str
    uses: str = ""
    is_near: bool = False
    """Whether it counts only where the same file uses the client."""


_REQUESTS = (
    r"(?<!httptest\.)\b\w*(?:NewRequest\w*|[dD]o|[rR]eq(?:uest)?|[sS]end|[cC]all|[fF]etch|[aA]pi|[iI]nvoke|method)"
    r"\(\s*(?:[\w.()]+, *)?"
)
_HTTP_CALLS = (
    rf"{_REQUESTS}"
    r"(?:http\.MethodDelete|\"DELETE\"|Method::DELETE|HttpMethod\.(?:DELETE|Delete)|:delete\b)"
    r"|\b(?:Req|HTTPoison|Tesla)\.delete!?\(|\bFinch\.build\(\s*:delete|:httpc\.request\(\s*:delete"
    r"|\.DeleteAsync\(|\bHTTP\.delete\(|\bHTTP\.request\(\s*\"DELETE\"|\bhttr2?::DELETE\(|(?<![\w.])DELETE\("
    r"|req_method\([^)\n]*\"DELETE\"|\.DELETE\(\)|-method\s+DELETE|Net::HTTP::Delete\b|\bHttp::[^;\n]*delete\("
)
_HTTP_SENDS = (
    rf"{_REQUESTS}"
    r"(?:http\.Method(?:Post|Put|Patch)|\"(?:POST|PUT|PATCH)\"|Method::(?:POST|PUT|PATCH)|HttpMethod\.(?i:post|put|patch)\b|:(?:post|put|patch)\b)"
    r"|\b(?:Req|HTTPoison|Tesla)\.(?:post|put|patch)!?\(|\bFinch\.build\(\s*:(?:post|put|patch)|:httpc\.request\(\s*:(?:post|put)"
    r"|\bhttp\.Post(?:Form)?\(|\.(?:Post|Put|Patch)(?:AsJson)?Async\(|\bHTTP\.(?:post|put|patch)\(|\bhttr2?::(?:POST|PUT|PATCH)\("
    r"|\breq_body_\w+\(|req_method\([^)\n]*\"(?:POST|PUT|PATCH)\"|\.(?:POST|PUT|PATCH)\(|\brequestMethod\s*=\s*[\"\'](?:POST|PUT|PATCH)[\"\']"
    r"|\bsetRequestMethod\(\s*[\"\'](?:POST|PUT|PATCH)[\"\']|\bhttpMethod\s*=\s*[\"\'](?:POST|PUT|PATCH)[\"\']|\b(?:restTemplate|webClient|restClient)\.(?:postFor\w*|put|post|exchange)\("
    r"|\.(?:post|put|patch)Url\(|\.(?:post|put)For(?:Entity|Object|Location)\("
    r"|\b(?:http|dio|client|_client|httpClient|_http)\.(?:post|put|patch|postUrl|openUrl)\(\s*(?:Uri|base|url|uri|'|\"|['\"]POST)"
)
_OF_LARAVEL = r"\A(?![\s\S]*\bStorage::(?:persistentF|f)ake\()[\s\S]*\bStorage::"
_STATEMENT = r"(?:drop\s+(?:table|database|schema|view|owned|keyspace)|truncate\s|delete\s+from\s)"
_VALUE = (
    r"(?:<<[~-]?['\"]?\w+['\"]?"
    r"|&?[a-z_][\w.:]*(?:\[[^\]\n]*\])?!?(?:\((?:[^()\n]|\([^()\n]*\))*\))?)"
)
"""What a call is given that is written elsewhere: ``q``, ``queries["x"]``, ``string(b)``, ``<<~SQL``."""
_VERBS = (("delete", "curl -X DELETE {}"), ("post|put|patch", "curl -X POST {}"))
CLIENTS = (
    Client(_HTTP_CALLS, "http", "curl -X DELETE {}"),
    Client(
        r"(?i:\bdelete_?by_?query\b|indices\(?\)?\s*\.\s*delete\w*\(|delete_?index\w*\()",
        "search",
        "curl -X DELETE {}",
    ),
    Client(_HTTP_SENDS, "http", "curl -X POST {}"),
    Client(
        r"\.(?:post|put|patch)\(",
        "http",
        "curl -X POST {}",
        uses=r"\b(?:reqwest|ureq|surf|isahc)\b|okhttp|io\.ktor\.client|khttp|package:(?:http|dio)/|\bURLSession\b",
    ),
    Client(
        r"\.(?:Put|Post|Patch|Delete)\(",
        "http",
        "curl -X POST {}",
        uses=r"go-resty/resty|imroc/req|dghubble/sling|gojek/heimdall|levigross/grequests|parnurzeal/gorequest|h2non/gentleman",
    ),
    Client(
        r"\.delete\(",
        "http",
        "curl -X DELETE {}",
        uses=r"\b(?:reqwest|ureq|surf|isahc|Faraday|HTTParty|RestClient|Excon)\b|okhttp|io\.ktor\.client|khttp|\bhttpoison\b",
    ),
    *(
        Client(
            rf"\bmethod(?::|\s*=)\s*:(?:{verbs})\b|\bapply\(\s*\w+,\s*:(?:{verbs})!?\s*,|&(?:Req|HTTPoison|Tesla)\.(?:{verbs})!?/",
            "http",
            command,
            uses=r"\bReq[.,]|\bHTTPoison[.,]|\bTesla[.,]|\bFinch[.,]|\bMint[.,]",
            is_near=True,
        )
        for verbs, command in _VERBS
    ),
    *(
        Client(
            r"(?<![\w.])(?!(?:Map|MapSet|Keyword|List|Enum|File|Agent|Registry)\.)(?:[A-Z]\w*\.)*"
            rf"(?:{verbs})!?\(\s*(?:(?!conn\b)\w+,\s*)?[\"~]",
            "http",
            command,
            uses=r"\buse\s+(?:HTTPoison\.Base|Tesla)\b",
            is_near=True,
        )
        for verbs, command in _VERBS
    ),
    *(
        Client(
            rf"\b\w*(?:Api|API|Client|Http|HTTP)\.(?:{verbs})!?\(",
            "http",
            command,
            uses=r"\buse\s+(?:HTTPoison\.Base|Tesla)\b",
        )
        for verbs, command in _VERBS
    ),
    Client(
        r"\b(?:dbRemoveTable|dbDropTable|db_drop_table)\(|\bdbWriteTable\([^)\n]*overwrite\s*=\s*T"
        r"|->(?:truncate|forceDelete)\(|\b[A-Z]\w*::truncate\(|(?:->|::)where[^;\n]*->delete\(\)"
        r"|\.[dD]ropTable\w*\(|\.sync\(\s*\{[^}\n]*\bforce:\s*true|\bsequelize\.drop\(|\bsql(?:\.\w+)?(?:<\w*>)?`\s*(?i:drop|truncate|delete\s+from)\s"
        r"|\bRepo\.delete_all\(|\.storage_down\(|\bMix\.Task\.(?:re)?run!?\(\s*\"ecto\.(?:drop|reset|rollback)\"|\b[A-Z]\w*(?:\.\w+(?:\([^)\n]*\))?)*\.(?:delete_all|destroy_all)\b|\bSchemaUtils\.drop"
        r"|\bRake::Task\[\s*[\"':]+db:(?:drop|reset|purge|truncate_all|schema:load|setup|rollback|seed:replant)\b[^\n]*\]\.(?:invoke|execute)"
        r"|\bDatabaseTasks\.(?:drop|purge|truncate|load_schema|reconstruct)\w*|\.(?:dropSchema|EnsureDeleted(?:Async)?)\("
        rf"|(?i:\b\w*(?:exec|execute|executeupdate|query|executesqlraw|\w*statement|unprepared|raw|dbexecute|batch|command)\w*[!(:=\s]"
        rf"[^;\n]{{0,80}}[\"'`]\s*{_STATEMENT})",
        "sql",
        "psql -h {} -c 'DROP TABLE x'",
    ),
    Client(
        r"(?:\bDB\[|\.(?:where|from|dataset)\b)[^\n;]*\.(?:update|delete)\b(?!\w)|\.truncate\b|\bdrop_table\b",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\bSequel\b",
    ),
    Client(
        r"(?i)(?:^|(?<!down)(?<!down[\"' ])[\[{(,=:]\s*(?:r#?)?[\"`]+)\s*"
        r"(?:drop\s+(?:table|database|schema|owned|keyspace)\s|truncate\s|delete\s+from\s+[\w.]+\s*(?:;\s*$|;?\s*[\"`]))",
        "sql",
        "psql -h {} -c 'DROP TABLE x'",
        uses=rf"(?i:\b\w*(?:exec|query|statement|batch|command|prepare)\w*[!(]+(?:\s*\w+\s*,)?\s*(?:{_VALUE}\s*[,)]|[\"']{{3}}|`\s*$)|\bexecute(?:non_?query\w*|batch|update)?\(\))",
    ),
    Client(
        r"\(\s*[\"'`][\w.]+[\"'`]\s*\)\s*\.(?:del|delete|truncate)\(\s*\)|\b\w+\(\w+\)\.(?:del|truncate)\(\s*\)|\.dropTable\w*\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"(?i:\bknex\b)",
    ),
    Client(
        r"\.deleteFrom\(\s*[\"'`][\w.]+[\"'`]\s*\)\s*\.execute|\bawait\s+(?:\w+\.)?(?:db|tx|trx|database|conn|connection)\.delete\(\s*[\w.]+\s*\)\s*(?:[;)]|$)",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\bkysely\b|\bdrizzle-orm\b",
    ),
    Client(
        r"(?:\bgetRepository\([^()\n]*\)|[rR]epo(?:sitory)?)\.clear\(|\.createQueryBuilder\([^()\n]*\)\.delete\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\btypeorm\b",
    ),
    Client(
        r"\.destroy\(\s*\{[^\n]*?(?:\btruncate:\s*true|\bwhere:\s*\{\s*\})",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"(?i:\bsequelize\b)",
    ),
    Client(
        r"\.(?:Where\([\"`]1 ?= ?1[\"`]\)|Session\([^\n]*AllowGlobalUpdate)[^\n]*\.Delete\("
        r"|\.Migrator\(\)\.DropTable\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\bgorm\b",
    ),
    Client(
        r"&[\w.]*Repo\.delete(?:_all)?!?/\d|\bEnum\.\w+\([^\n]*\bRepo\.delete!?\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
    ),
    Client(
        r"(?<![\w.])delete_all\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\bimport\s+[\w.]*Repo\b",
    ),
    Client(r"\.update_all\(", "sql", "psql -h {} -c 'UPDATE x SET y = 1'"),
    Client(
        r"(?<![\w.:])@?[a-z_]\w*\.(?:really_)?destroy!?(?![\w?])|&:(?:really_)?(?:destroy!?|destroy_all|delete_all)(?!\w)"
        r"|\.in_batches\S*\.(?:delete|destroy)|(?:[\w)\]}]|^\s*)\.(?:delete|destroy)_(?:all|by)\b|^\s*(?:delete|destroy)_all\s*$|send\W{1,2}(?:delete|destroy)_(?:all|by)\b"
        r"|\.truncate_tables?\(|\bconn(?:ection)?\.truncate\(",
        "sql",
        "psql -h {} -c 'DELETE FROM x'",
        uses=r"\b(?:ActiveRecord|ApplicationRecord|Mongoid|DataMapper|ROM)\b",
    ),
    Client(
        r"\bDB::table\([^;\n]*->delete\(|\$\w+(?:->\w+)*->(?:delete|forceDelete|deleteOrFail|deleteQuietly)\(\)|::destroy\(|->each(?:ById)?->(?:delete|forceDelete)\(",
        "sql",
        "mysql -h {} -e 'DELETE FROM x'",
        uses=r"\b(?:Eloquent|Illuminate\\Database|Facades\\DB|App\\Models)\b",
    ),
    Client(
        r"\b(?:em|entityManager|manager|objectManager)->remove\(|->delete\([\w\\:]+::class[^;\n]*->(?:getQuery|execute)",
        "sql",
        "mysql -h {} -e 'DELETE FROM x'",
        uses=r"\bDoctrine\\",
    ),
    Client(
        r"(?i:\bdelete_?(?:topics?|records|consumer_?groups?)\w*\()",
        "kafka",
        "kafka-topics.sh --bootstrap-server {} --delete --topic x",
    ),
    Client(
        r"(?i:\bdelete_?blobs?\w*\(|\bdelete_?blob_?container\w*\()"
        r"|\b\w*(?:[cC]ontainer|[bB]lob)\w*\.[dD]eleteIfExists(?:Async)?\(",
        "azure",
        "az storage blob delete-batch --source x",
    ),
    Client(
        r"(?i:\b(?:delete_?objects?|delete_?buckets?)(?:async|request|input)?\()|\.(?:clear|batch_delete)!",
        "aws",
        "aws s3 rm s3://bucket/x --recursive",
        uses=r"(?i:\bs3\b|aws[-_.]?sdk|amazonaws)",
    ),
    Client(
        r"(?i:\b(?:purge_?queue|delete_?(?:queue|table|stack|db_?instance|function|log_?group|secret))(?:async)?\()",
        "aws",
        "aws sqs purge-queue --queue-url x",
        uses=r"(?i:aws[-_.]?sdk|amazonaws|aws_sdk|ExAws|\bAWS\.)",
    ),
    Client(
        r"\.Object\([^)\n]*\)\.Delete\(|(?i:\bdelete_?object\w*\()",
        "gcs",
        "gsutil rm -r gs://bucket/x",
        uses=r"cloud\.google\.com/go/storage|Google\.Cloud\.Storage|google-cloud-storage|com\.google\.cloud\.storage",
    ),
    Client(
        r"(?i:\b(?:drop_?database|delete_?many|drop_?collection)\w*\()|(?:\.|->)[dD]rop\(|\.database\.drop\b",
        "mongo",
        "mongosh mongodb://{}/x --eval 'db.dropDatabase()'",
        uses=r"(?i:mongo)",
    ),
    Client(
        r"(?i:\bflush_?(?:all|db)(?:async)?\(|\.flush(?:all|db)\b)",
        "redis",
        "redis-cli -h {} FLUSHALL",
    ),
    Client(
        r"(?i:\bqueue_?(?:delete|purge)\()", "amqp", "rabbitmqadmin --host {} delete queue name=x"
    ),
    Client(
        r"\.deliver(?:_now|_later)?!?(?![\w:])|&:deliver\w*|\bsend_message\(|\bSendMail\(|\bTransport\.send\("
        r"|\bMail::\w+\([^;\n]*->(?:send|queue)\(|[sS]mtp\w*\.Send\w*\(|\bMailer\.deliver\w*\(",
        "mail",
        "swaks --server {} --to someone@example.com",
        uses=r"(?i:smtp)",
    ),
    Client(
        r"\.deliver(?:_now|_later)!?(?![\w:])|&:deliver\w*",
        "deliverer",
        "swaks --server {} --to someone@example.com",
        uses=r"\b(?:ActionMailer|ApplicationMailer)\b|\baction_mailer\b",
    ),
    Client(
        r"\b\w*Mailer\.deliver\w*",
        "adapter",
        "swaks --server {} --to someone@example.com",
        uses=r"\b(?:Swoosh|Bamboo)\b",
    ),
    Client(
        r"\$(?:this->)?\w*[mM]ailer\w*->send\(",
        "mailer",
        "swaks --server {} --to someone@example.com",
        uses=r"\bSymfony\\(?:Component|Bridge)\\\w*\\?Mailer\b",
    ),
    Client(
        r"\$(?:this->)?\w*(?:[tT]exter|[cC]hatter|[nN]otifier)\w*->send\(",
        "notifier",
        "curl -X POST https://{}/",
        uses=r"\bSymfony\\Component\\Notifier\b",
    ),
    Client(
        r"\.delete_prefixed\b|\bservice\.delete\(|\.purge(?:_later)?\b(?!\w)|&:purge(?:_later)?\b|\bActiveStorage::\w+\S*\.(?:destroy_all|in_batches)\b",
        "attachments",
        "aws s3 rm s3://bucket/x --recursive --endpoint-url https://{}",
        uses=r"\bActiveStorage\b|\bhas_(?:one|many)_attached\b|\bactive_storage\b",
    ),
    Client(
        r"\bStorage::(?:(?:disk|drive)\(\s*['\"](?!(?:local|public|private|te?mp|testing|test)['\"])\w+['\"]\s*\)"
        r"|cloud\(\))->(?:delete|deleteDirectory)\(",
        "",
        "aws s3 rm s3://bucket/x --recursive",
        uses=_OF_LARAVEL,
    ),
    Client(
        r"\bStorage::(?:delete|deleteDirectory)\(",
        "disk",
        "aws s3 rm s3://{}/x --recursive",
        uses=_OF_LARAVEL,
    ),
    Client(
        r"\bPushOptions\{[^}\n]*\bForce:\s*true",
        "",
        "git push --force origin main",
        uses=r"go-git/go-git",
    ),
    Client(
        r"\bsmtp_send\(|\bsend\.mail\(|\bgm_send_(?:message|draft)\(|(?<![\w.])sendmail(?:R)?\(|\bsmtp\(\s*(?!\))|\$send\(\)",
        "relay",
        "swaks --server {} --to someone@example.com",
        uses=r"\b(?:blastula|mailR|gmailr|sendmailR|emayili|Microsoft365R)\b",
    ),
    Client(
        r"\bspawn\s+(?:-\w+\s+)*(?:ssh|telnet|plink|sshpass)\b[^\n]*",
        "shell",
        "ansible {} -m shell -a reboot",
        uses=r"(?i:\bsend(?:\s+--?)?\s+\"[^\"\n]*\b(?:erase|reload|reboot|delete|format|rm\s+-|drop|shutdown|poweroff|halt"
        r"|factory|reset|mkfs|commit|write|restart|stop|no\s+\w+|copy\s+\S+\s+(?:flash|running|startup)))",
    ),
    Client(
        r"(?i:\bfind_?element\w*\()[^\n]*[\"'=\[_#.-](?i:delete|remove|destroy|wipe|erase|purge)[^\n]*\.[cC]lick\b"
        r"|\bclick_(?:button|link|on)\W{1,3}(?i:delete|remove|destroy|wipe|erase|purge)",
        "page",
        "curl -X DELETE {}",
        uses=r"(?i:selenium|web_?driver|app_host)",
    ),
    *(Client(one.calls, "", f"curl -X POST https://{one.host}/", one.library) for one in SERVICES),
    *(Client(one.calls, "", one.command, one.library) for one in PLATFORMS),
)
_TELLING = (
    "pushoptions",
    "clear!",
    "clear(",
    "del(",
    *("sync(", "sql`", "storage_down"),
    *("delete", "drop", "truncate", "purge", "flush", "remove", "destroy", "overwrite"),
    *("deliver", "send", "spawn", "update"),
    *(
        "post",
        "put",
        "patch",
        "creat",
        "publish",
        ".new(",
        "sale",
        "refund",
        "payment",
        "execute",
        ".api(",
    ),
    *("req_body", "submit", "smtp", "service(", "upload", ".say("),
    *(
        *("attach", "detach", "stop", "modify", "change", "authorize", "disable", "run"),
        *("start", "restore", "evict", "prune", "push"),
        *(
            "insert",
            "policy",
            "acl",
            "grant",
            "apply",
            "deallocate",
            "poweroff",
            "setrules",
            "rebuild",
            "reset",
        ),
        "add",
        "edit",
        "merge",
        "cancel",
        "revoke",
        "invite",
        "transfer",
        "archive",
        "reboot",
        "terminate",
    ),
)
"""Words of which one is in each such call, in small letters."""
_NAMES = r"(?:base|url|uri|endpoint|host|registry|server|addr|api|origin|cluster|target|hub|hook)"
_AT = r"(?:[^@/\s\"']{0,100}@)?"
_HOST = r"([\w-]+(?:\.[\w-]+)+)"
_SQL_URL = (
    r"(?i:(?:jdbc:)?(?:postgres(?:ql)?|mysql|mariadb|sqlserver|oracle|redshift|clickhouse|ecto|cockroachdb)"
    rf"(?:\w|:)*:/+{_AT}{_HOST})"
)
_SQL_HOST = (
    r"(?i:\b(?:\w*host(?:name)?|server|data source)[\"']?\s*(?:=>|=|:|,)\s*"
    r"(?:[\w.:]*(?:getenv|get_env|fetch_env|get)!?\([^)\n\"']*[\"']\w+[\"'],\s*"
    r"|(?:<%=\s*)?ENV[^\n\"']{0,10}[\"']\w+[\"'][^\n\"'\w]{0,8}(?=[\"']))?"
    rf"[\"']?(?:(?:tcp|np|lpc|admin):(?:\\{{1,4}})?)?{_HOST}\b(?!\())"
)
_SQL_ADDRESS = rf"(?i:\baddr(?:ess)?[\"']?\s*(?:=>|=|:)\s*[\"'](?:tcp:)?{_HOST}(?::\d+)?[\"'])"
_KAFKA = (
    r"(?i:(?:bootstrap[._]?servers?|brokers?)(?:_config)?[\"']?\s*(?:=>|=|:|,|to\b|\])"
    rf"\s*[^\n\"']{{0,20}}?[\"']?{_HOST}(?::\d+)?)"
)
_URL = (
    rf"(?i:\b\w*{_NAMES}\w*[\"']?[^\n\"']{{0,60}}[\"'](?:\w+[\"'],\s*[\"'])?"
    r"(https?://[^\s\"'{}$#<>]+))"
)
_IN_CALL = (
    r"(?i:\b\w*(?:request|send|fetch|call|delete|post|put|patch)\w*[!(][^\n\"']{0,60}(?:[\"'](?:DELETE|POST|PUT|PATCH)[\"'],\s*)?"
    r"[\"'](https?://[^\s\"'{}$#<>]+))"
)
_AZURE = (
    r"(DefaultAzureCredential|AzureCliCredential|ClientSecretCredential"
    r"|\.blob\.core\.windows\.net|AccountKey=\w)"
)
_DSN = r"(?m:^[ \t]*(?:MAILER_\w*DSN|MAILER_URL|dsn)\s*[=:]\s*[\"']?)"
_MAILS = (
    r"ses|gmail|mailgun|mandrill|postmark|sendgrid|brevo|sendinblue|mailjet|mailersend|mailpace|infobip|resend|scaleway|azure"
    r"|mailchimp|ohmysmtp|ahasend|sweego|postal|sendmail"
)
_NOTIFIES = (
    r"twilio|vonage|nexmo|messagebird|sinch|slack|telegram|discord|mattermost|rocketchat|microsoftteams|googlechat|zulip|firebase"
    r"|onesignal|expo|pushover|ntfy|infobip|clickatell|esendex|ovhcloud|plivo|smsapi|spothit|sms77|octopush|telnyx|smsc|mobyt"
    r"|sevenio|brevo|sendinblue|mailjet|allmysms|freemobile|linkedin|mastodon|bluesky|twitter"
)
_ADDRESSES = {
    "http": (
        _URL,
        _IN_CALL,
        rf"\bUri\.https\(\s*[\"']{_HOST}[\"']",
        rf"\b(?:HTTP|HTTPS)\w*\.(?:connect|start|new)\(\s*(?::https?,\s*)?[\"']{_HOST}[\"']",
        r"[\"'`](https://)(?:%[sv]|\$\{|[\"'`]\s*\+)",
    ),
    "page": (
        r"(?i:(?:\.get|\.go_?to(?:_?url)?|navigate\(?\)?\.to|\.visit|\bvisit|app_host|\.open)[\s(=]+[\"'`](https?://[^\s\"'{}$#<>]+))",
        _URL,
    ),
    "search": (_URL, r"(?i:\bnodes?[\"']?\s*(?:=>|=|:|,)\s*\[?\s*[\"'](https?://[^\s\"'{}$#<>]+))"),
    "sql": (_SQL_URL, _SQL_HOST, _SQL_ADDRESS),
    "kafka": (_KAFKA,),
    "mongo": (rf"mongodb(?:\+srv)?://{_AT}{_HOST}",),
    "redis": (
        rf"rediss?://{_AT}{_HOST}",
        rf"(?i:\b(?:redis\w*|addr|host)[\"']?\s*(?:=>|=|:|,)\s*[\"']{_HOST}(?::\d+)?)",
        rf"->p?connect\(\s*[\"']{_HOST}[\"']",
    ),
    "amqp": (rf"amqps?://{_AT}{_HOST}",),
    "mail": (
        rf"(?i:\bsmtp\w*\b[\s\S]{{0,200}}?\b(?:address|host|server|relay)[\"']?\s*(?:=>|=|:)\s*[\"']{_HOST})",
        rf"(?m:^MAIL_HOST=[\"']?{_HOST})",
        rf"(?i:\bsmtp\w*[^\n]{{0,40}}?[\"']{_HOST}(?::\d+)?[\"'])",
        rf"(?i:[\"'](?=(?:smtp|e?mail|relay|mx)[\w-]*\.){_HOST}(?::\d+)?[\"'])",
    ),
    "mailer": (rf"{_DSN}smtps?://{_AT}{_HOST}", rf"{_DSN}({_MAILS})(?:\+\w+)?://"),
    "attachments": (r"(?m:^attachments_at: (\S+))",),
    "disk": (r"(?m:^FILESYSTEM_(?:DISK|DRIVER)=[\"']?(?!local\b|public\b)(\w+))",),
    "adapter": (
        r"\b(?:Swoosh\.Adapters\.|Bamboo\.)(?!Local|Test|Logger|Sandbox|Mailer|Email|Phoenix)(\w+)",
    ),
    "deliverer": (rf"\bdelivery_method\s*=\s*:({_MAILS})(?:_\w+)?\b",),
    "notifier": (rf"(?m:^[ \t]*[A-Z]\w*_DSN\s*=\s*[\"']?({_NOTIFIES})://)",),
    "relay": (
        r"(?i:\bhost(?:\.?name)?\s*=\s*[\"']([\w.-]+)[\"'])",
        r"\b(?:blastula|mailR|gmailr|sendmailR|emayili|Microsoft365R)()\b",
    ),
    "azure": (_AZURE,),
    "aws": (r"(?i:(aws|amazonaws))",),
    "gcs": (r"(?i:(storage))",),
    "shell": (r"\bspawn\s+(?:-\w+\s+)*(?:ssh|telnet|plink|sshpass)\b[^\n]*?([\w$.-]+\.[\w.-]+)",),
}
"""Where a program has the address of a kind; the first group is what goes into the command."""
_OTHER_SERVICE = (
    r"(?!\w*(?i:kafka|broker|smtp|mail|pg|postgres|sql|mongo|http|grpc|api|amqp|rabbit|nats"
    r"|elastic|listen|metric|proxy|vault|consul))"
)
_BY_NAME = {
    "redis": (
        (
            rf"\b{_OTHER_SERVICE}(?i:\w*(?:redis|cache|addr|host)\w*)[\"']?"
            rf"[ \t]*(?:string[ \t]*)?(?::?=|:)[ \t]*[\"']{_HOST}:\d+[\"']"
        ),
        rf"[\"'](?=(?i:redis|cache|valkey|keydb)[\w-]*\.){_HOST}:\d+[\"']",
    ),
}
"""The same by names that other services may have, too."""
_NEAR = {
    "redis": pattern(r"[\"'@/](?:localhost|127\.0\.0\.1|\[::1\]|redis|cache|valkey)?:\d{4,5}\b")
}
_OWN_URL = pattern(r"[\"'`](https?://[^\s\"'`{}$#<>%]*)([^\s\"'`]*[\"'`]\s*[+.]?)?")
_HOST_OF = pattern(r"(?:\w+://)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)")
_NOBODYS = pattern(r"(?i)[\w.-]+\.(?:local|invalid|svc)$|(?:www\.)?w3\.org$|schemas\.[\w.]+$")
"""Hosts in the network of the program's own machine, or the names of schemas."""
_STAYS = pattern(
    r"(?i)testcontainers|\b(?:mssql|postgresql|mysql|mariadb|redis|mongodb|kafka|rabbitmq|oracle|elasticsearch|cassandra|sqledge|clickhouse"
    r"|couchdb|dynamodb|minio|nats|pulsar|localstack|cosmosdb|keycloak|papercut)builder\("
    r"|\bnew\s+(?:generic|postgre\w*|mysql|mariadb|mongo\w*|redis|kafka|mssql\w*|oracle\w*|elastic\w*|rabbitmq|cassandra|localstack"
    r"|clickhouse|minio|neo4j|pulsar|nats|docker\w*|compose\w*)container(?:<[^<>\n]*>)?\("
    r"|wiremock|mockwebserver|mockmvc|webtestclient|testresttemplate|embeddedkafka"
    r"|embedded_?mongo|localstack|azurite|UseDevelopmentStorage=true|devstoreaccount1|fake-?gcs|STORAGE_EMULATOR_HOST|miniredis|fakeredis"
    r"|sqlmock|mockito::|fake\.New(?:Simple)?Client\w*\(|envtest\.Environment|ctrl\.NewManager|manager\.New\("
    r"|(?:endpoint|service_?url)\w*[^\n]{0,80}https?://(?:localhost|127\.|\[::1)"
    r"|net\.Listen\(\s*\"tcp4?\",\s*\"(?:127\.0\.0\.1|localhost|\[::1\])?:0\"|smtpmock|mailhog|mailpit|greenmail|dumbster|simplesmtpserver"
    r"|httptest\.NewServer|httptest\.NewTLSServer|gock\.|httpmock|nock\(|(?<![\w\"'])Bypass\.open\b|\bTesla\.Mock\.mock|\bTesla,\s*Tesla\.Mock|\badapter:?,?\s*Tesla\.Mock"
    r"|\bReq\.Test\.(?:stub|expect|json|transport_error)\(|\bplug:\s*(?:\{\s*Req\.Test\b|fn\b|&)"
    r"|:memory:|mode=memory|UseInMemoryDatabase|jdbc:h2:mem|webmockr|httptest2?::|MockHttp|WebApplicationFactory|TestServer"
    r"|ListenAndServe|gin\.(?:Default|New)\(|echo\.New\(|fiber\.New\(|chi\.NewRouter|Plug\.Cowboy|Bandit"
    r"|WebApplication\.Create|MockEngine|MockClient|shelf_io|HttpServer\.(?:create|bind)|:\s*(?:Delegating|HttpMessage)Handler"
    r"|MockWebServer|MockRestServiceServer|URLProtocol\b|HTTP\.serve|with_mock|api_?base\w*[^\n]{0,60}https?://(?:localhost|127\.|\[::1)"
    r"|axum::serve|HttpServer::new|rocket::build|plumber::|Genie\.|embeddedServer\(|SpringApplication\.run"
)
"""What shows that the other side is in this process or a container, or that others decide what is called."""
_IMPORTS = pattern(
    r"(?m)^[ \t]*(?:(?:global[ \t]+)?using|import)[ \t]+(?:static[ \t]+)?[\w.]+(?:\.\*)?;[ \t]*$"
)
"""What names a library, but does not use it."""
_MOCKED = pattern(
    r"\bmockk(?:Class|Static|Object)?\s*(?:<|\()\s*(\w+)|\b(?:mock|spy|mockStatic|mockConstruction)\(\s*(\w+)(?:::|\.)class"
    r"|@(?:Mock|MockBean|MockitoBean|MockK)\w*(?:\([^)\n]*\))?\s+(?:(?:private|lateinit|var|val|final)\s+)*(?:\w+\s*:\s*)?(\w+)"
    r"|\bnew Mock<(\w+)>|\bSubstitute\.For<(\w+)>|\bA\.Fake<(\w+)>|\bmock<(\w+)>\("
)
"""Classes that a test has something else in the place of."""
_CLASS = pattern(r"\b(?:class|object|interface)\s+(\w+)")
_NAME = pattern(r"\w+")
_APPLIES = (
    r"(?:apply|yes|confirm|execute|really|for-?real|no-?dry-?run|do-?it|live|commit|delete|prune)"
)
_WAITS = pattern(
    rf"(?i)[\"']--?{_APPLIES}[\"']|--{_APPLIES}\b(?=[)\]])"
    rf"|\bBool\w*\((?:&?[\w.]+, *)?\"{_APPLIES}\"(?!(?:, *\"\w*\")?, *true\b)|\b{_APPLIES}:\s*:?bool"
    r"|[\"'](?:--?)?dry-?run[\"'],?\s*(?:=\s*)?true|\bdry_?run\s*[:=]+\s*true"
)
"""An option without which a program only says what it would do."""
_MAX_LINE = 1_000
_MAX_OPEN = 5
"""Lines of a call that is written on several."""
_LONG_LINE = pattern(rf"[^\n]{{{_MAX_LINE},}}")
_MAX_SHARED = 128 * 1024
"""Characters of a program whose requests all go to the address that it names."""
_MAX_CODE = 256 * 1024
"""Characters of one program that are searched."""


@lru_cache(maxsize=512)
def as_searched(text: str, comment: str) -> str:
    """Return code without its comments and the ends of very long lines; lines keep their numbers."""
    return without_comments(_LONG_LINE.sub(lambda one: one[0][:_MAX_LINE], text), comment)


def acts_of(
    files: Sequence[str],
    settings: str,
    words: Sequence[str],
    kinds: Sequence[str] = (),
    *,
    told: str = "",
    aside: Sequence[str] = (),
) -> Iterator[Act]:
    """Yield what a program does elsewhere; ``files`` are without comments, ``words`` those of its command.

    ``kinds`` are those of the addresses of clients that count; () for all. What is ``told`` may have
    addresses, but does not show that the program stays here, nor do the files ``aside`` show it of others.
    """
    clients = [one for one in CLIENTS if not kinds or one.address in kinds]
    by_file = [(text, _calls_in(text)) for text in files]
    called = [
        (one, found)
        for one in clients
        if (found := [(text, *call) for text, calls in by_file for call in calls.get(one, ())])
    ]
    whole = "\n".join((settings, *files))[:_MAX_CODE] if called else ""
    acts = [
        (client.command.format(address), text, at, _is_guess(client.address, told, whole))
        for client, calls in called
        if not client.uses or found_in_file(client.uses, whole)
        for text, at, address in _first_elsewhere(
            client.address, calls, f"{told}\n{whole}", f"{told}\n{settings}"
        )
    ]
    given = " ".join(words).lower()
    shown = "\n".join((settings, *(one for one in files if one not in aside)))[:_MAX_CODE]
    is_doubtful = bool(acts) and _may_stay(shown, given)
    replaced = {name for one in (_MOCKED.findall(whole) if acts else ()) for name in one if name}
    for command, text, at, is_guess in acts:
        own = {*_CLASS.findall(text), *_NAME.findall(text[at : at + 80])[:1]}
        is_own = text in aside and _may_stay(text, given)
        yield Act(
            command, text, at, is_doubtful or is_guess or is_own or not replaced.isdisjoint(own)
        )


def _first_elsewhere(
    kind: str, calls: Sequence[tuple[str, int, str]], whole: str, settings: str
) -> Iterator[tuple[str, int, str]]:
    """Yield the first of the calls that goes to another machine, with its address.

    A large program talks to many: one of its requests goes where its own file or the settings say.
    """
    is_apart = kind == "http" and len(whole) > _MAX_SHARED
    programs: dict[str, str] = {}
    for text, at, line in calls:
        own = _OWN_URL.search(line) if kind == "http" else None
        if own is not None and not own[2].rstrip("\"'`") and _is_near(own[1]):
            continue  # the whole address is in the call
        if own is not None and _is_host(own[1]):
            address = own[1].rstrip("/.,;)")
        else:
            code = text if is_apart else ""
            if code not in programs:
                programs[code] = _address_of(kind, f"{settings}\n{text}" if is_apart else whole)
            address = programs[code]
        if address:
            yield text, at, address
            return


def _address_of(kind: str, code: str) -> str:
    return _address(kind, code) or _address_by_name(kind, code) if kind else "the vendor"


def _may_stay(code: str, given: str) -> bool:
    """Whether something shows that a program stays here, or waits for an option that is not given."""
    return is_waiting(code, given) or _STAYS.search(_IMPORTS.sub("", code)) is not None


def is_waiting(code: str, given: str) -> bool:
    """Whether a program only says what it would do without an option that is not given."""
    waits = _WAITS.search(code)
    return (waits is not None and not _is_given(waits[0], given)) or "dry-run" in given


def _telling_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that may hold a call, each with its position; an open call with its next lines."""
    lower = text.lower()
    is_placed = len(lower) == len(text)  # each sign is where it was
    telling = starts_of_lines(lower, _TELLING) if is_placed else None
    if telling is not None and not telling:
        return
    at = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        whole = line
        is_open = line.rstrip()[-1:] in ("(", ",") and line.count("(") > line.count(")")
        if is_open:
            whole = " ".join(
                (line, *(one.strip() for one in lines[number + 1 : number + _MAX_OPEN]))
            )
        if at in telling if telling is not None and not is_open else _tells(whole.lower()):
            yield at, whole
        at += len(line) + 1


def _tells(line: str) -> bool:
    return any(word in line for word in _TELLING)


@lru_cache(maxsize=512)
def _calls_in(text: str) -> dict[Client, list[tuple[int, str]]]:
    """The calls of each client in a text: their positions, and their lines from there on.

    What has a vendor's client names the library, too. The commands of a build read the same files.
    """
    told = list(_telling_lines(text))
    lines = "\n".join(line for _, line in told)
    lower, lower_lines = text.lower() if told else "", lines.lower()
    found: dict[Client, list[tuple[int, str]]] = {}
    for client in CLIENTS if told else ():
        is_far = client.address and not client.is_near
        is_named = is_far or (may_be_in(client.uses, text, lower) and found_in(client.uses, text))
        if is_named and may_be_in(client.calls, lines, lower_lines):
            calls = pattern(client.calls)
            in_lines = ((at, line, calls.search(line)) for at, line in told)
            own = [(at + call.start(), line[call.start() :]) for at, line, call in in_lines if call]
            if own:
                found[client] = own
    return found


def _is_given(option: str, words: str) -> bool:
    """Whether an option that code names is on the command line."""
    name = re.search(_APPLIES, option, re.IGNORECASE)
    return name is not None and name[0].lower() in words


def _is_guess(kind: str, told: str, whole: str) -> bool:
    """Whether only a name says that it is elsewhere, and something on this machine may be meant."""
    near = _NEAR.get(kind)
    text = f"{told}\n{whole}"
    if near is None or not near.search(text):
        return False
    return not _address(kind, text) and not _address_by_name(kind, told)


@lru_cache(maxsize=32)
def _address(kind: str, text: str) -> str:
    """Return the first address of a kind that is not on this machine; "" if there is none.

    Several clients of a program are given the same texts, and several commands of a build the same program.
    """
    for source in _ADDRESSES[kind]:
        for one in pattern(source).finditer(text):
            if kind == "relay":  # that of the vendor, if none is named
                return "" if _is_near(one[1]) else one[1] or "smtp.vendor.example"
            if kind in ("mailer", "notifier", "adapter", "deliverer") and "." not in one[1]:
                return f"{one[1]}.vendor.example"
            if one[1] == "https://":  # to a host that is not known
                return "https://host.example.com"
            address = one[1].replace("$name", "host").replace("$", "x").rstrip("/.,;)")
            if _is_host(address) or kind in ("azure", "aws", "gcs", "disk"):
                return address
    return ""


def _address_by_name(kind: str, text: str) -> str:
    """The same by what it is called, which is less certain."""
    found = (one[1] for source in _BY_NAME.get(kind, ()) for one in pattern(source).finditer(text))
    return next(filter(_is_host, found), "")


def _is_host(address: str) -> bool:
    """Whether an address is one on another machine."""
    return "." in address and not _is_near(address) and not _is_file(address)


def _is_near(address: str) -> bool:
    """Whether an address is on this machine, or one that nobody connects to."""
    found = _HOST_OF.match(address)
    host = found[1] if found else ""
    return bool(host) and (is_here(host) or _NOBODYS.match(host) is not None)


def _is_file(address: str) -> bool:
    """Whether it is a name with an ending, or a member of an object, and no host."""
    return (
        re.fullmatch(
            r"[A-Z]\w*\.\w+|[A-Z]\w*(?:\.\w+)*\.[a-z]+_\w+(?:\.\w+)*|[\w.]*[a-z][A-Z]\w*|[\w.-]+\.(?:exs?|rs|go|jl|csv|json|txt|ya?ml|get\w*|env"
            r"|db3?|sqlite3?|s3db|sl3|sdf|mdb|accdb|mdf|duckdb)",
            address,
        )
        is not None
    )


# end of module
