"""Calls of clients in rarer languages, written as command lines: one row shows one client."""

# ruff: noqa: E501 - texts of programs

from tests.tables import for_each

from operators_edge.shell.code.client_calls import acts_of, as_searched


def commands(*files, settings="", words=()):
    return [one.command for one in acts_of(files, settings, words) if not one.is_doubtful]


ELSEWHERE = [
    (
        'base := "https://r.example.com"\nreq := http.NewRequest("DELETE", base+p, nil)',
        "curl -X DELETE https://r.example.com",
    ),
    (
        'http.NewRequest(http.MethodPut, "https://docs.example.com/spec", body)',
        "curl -X POST https://docs.example.com/spec",
    ),
    (
        'req, _ := http.NewRequestWithContext(\n\tctx,\n\thttp.MethodPost,\n\t"https://h.example.com/x",\n\tnil)',
        "curl -X POST https://h.example.com/x",
    ),
    (
        'apiURL := "https://a.example.com"\nreq, _ := http.NewRequest("PATCH", apiURL+p, nil)',
        "curl -X POST https://a.example.com",
    ),
    (
        'http.Post("http://localhost:9000/x", "", nil)\nhttp.PostForm("https://a.example.com/x", v)',
        "curl -X POST https://a.example.com/x",
    ),
    (
        'apiURL := "https://a.example.com"\nhttp.Post("http://localhost" + suffix, "", nil)',
        "curl -X POST https://a.example.com",
    ),
    (
        'library(httr)\nhttr::POST("https://h.example.com/x", body = b)',
        "curl -X POST https://h.example.com/x",
    ),
    (
        'use reqwest;\nlet url = "https://api.example.com";\nclient.delete(url).send()',
        "curl -X DELETE https://api.example.com",
    ),
    (
        'var url = "https://api.example.com/x"; await client.DeleteAsync(url);',
        "curl -X DELETE https://api.example.com/x",
    ),
    (
        'url = "https://es.example.com"\nHTTP.delete(url)',
        "curl -X DELETE https://es.example.com",
    ),
    (
        'db, _ := sql.Open("pgx", "postgres://u@db.example.com/x")\ndb.Exec("TRUNCATE orders")',
        "psql -h db.example.com -c 'DROP TABLE x'",
    ),
    (
        'val url = "jdbc:mysql://db.example.com/x"\nstatement.executeUpdate("DELETE FROM orders")',
        "psql -h db.example.com -c 'DROP TABLE x'",
    ),
    (
        'config :shop, Repo, hostname: "db.example.com"\nShop.Repo.delete_all(Order)',
        "psql -h db.example.com -c 'DROP TABLE x'",
    ),
    (
        'import "github.com/aws/aws-sdk-go/service/s3"\nsvc.DeleteObjects(in)',
        "aws s3 rm s3://bucket/x --recursive",
    ),
    (
        'mongo.Connect("mongodb+srv://u:p@cluster0.example.net")\ndb.dropDatabase(ctx)',
        "mongosh mongodb://cluster0.example.net/x --eval 'db.dropDatabase()'",
    ),
    (
        'redis.NewClient(&redis.Options{Addr: "cache.example.com:6379"})\nrdb.FlushAll(ctx)',
        "redis-cli -h cache.example.com FLUSHALL",
    ),
]


@for_each(("code", "command"), ELSEWHERE)
def test_a_call_of_a_client_is_a_command_line(code, command):
    assert commands(code) == [command]


SENT = [
    ('httr::POST("https://a.example.com/x", body = b)', "curl -X POST https://a.example.com/x"),
    (
        'request("https://a.example.com/x") |> req_body_json(b) |> req_perform()',
        "curl -X POST https://a.example.com/x",
    ),
    ("http.post(Uri.https('a.example.com', '/x'))", "curl -X POST a.example.com"),
    ("HttpClient().postUrl(Uri.parse('https://a.example.com'))", "curl -X POST https://a.example.com"),
    ('new RestTemplate().postForEntity("https://a.example.com", b, C)', "curl -X POST https://a.example.com"),
    (
        'base := "https://api.example.com"\nhttp.Post(base+p, "", nil)',
        "curl -X POST https://api.example.com",
    ),
    (
        'val url = "https://a.example.com"\nHttpRequest.newBuilder(u)\n .POST(BodyPublishers.ofString(x))',
        "curl -X POST https://a.example.com",
    ),
    (
        "import 'package:http/http.dart';\nfinal u = Uri.parse('https://a.example.com');\nclient.post(u)",
        "curl -X POST https://a.example.com",
    ),
    ("import com.twilio.Twilio;\nMessage.creator(a, b)\n .create();", "curl -X POST https://api.twilio.com/"),
    ("using Stripe;\nvar s = new RefundService();", "curl -X POST https://api.stripe.com/"),
    ('import "github.com/slack-go/slack"\napi.PostMessage("#all", t)', "curl -X POST https://slack.com/"),
    (
        "import software.amazon.awssdk.services.ses.SesClient;\nclient.sendEmail(r)",
        "curl -X POST https://email.us-east-1.amazonaws.com/",
    ),
    ("import com.google.firebase.messaging.FirebaseMessaging;\nm.send(x)", "curl -X POST https://fcm.googleapis.com/"),
]  # fmt: skip


@for_each(("code", "command"), SENT)
def test_what_is_sent_to_a_host_or_a_vendor_is_a_command_line(code, command):
    assert commands(code) == [command]


HERE = [
    'httr::GET("https://a.example.com/x")',
    'httr::POST("http://localhost:8000/x", body = b)',
    'base := "http://localhost:8080"\nhttp.Post(base+p, "", nil)',
    "Message.creator(a, b)",  # of some class of the program
    "import com.stripe.model.Refund;\nRefund.retrieve(id)",
    'base := "http://localhost:5000"\nreq := http.NewRequest("DELETE", base+p, nil)',
    'apiURL := "https://a.example.com"\nhttp.Post("http://localhost:9000/reload", "", nil)',
    'apiURL := "https://a.example.com"\nr.Handle(http.MethodPost, "/x", h)',
    'base := "https://r.example.com"\nreq := http.NewRequest("GET", base+p, nil)',
    'base := "https://r.example.com"\nif r.Method == http.MethodDelete {',
    'base := "https://r.example.com"\nhttptest.NewRequest(http.MethodDelete, "/x", nil)',
    'db.Exec("TRUNCATE orders")',
    'sql.Open("pgx", "postgres://db:5432/x")\ndb.Exec("TRUNCATE orders")',
    'url = "postgres://u@db.example.com/x"\ndb.Query("SELECT 1")',
    "items.delete(name)",
]


@for_each("code", HERE)
def test_what_reads_or_stays_here_is_none(code):
    assert commands(code) == []


def test_the_address_may_be_in_another_file():
    call = "admin.deleteTopics(names)"
    assert commands(call) == []
    assert commands(call, settings="bootstrap.servers=k.example.com:9092") != []


def test_in_a_large_program_the_address_is_in_the_same_file_or_in_the_settings():
    request = 'http.NewRequest("DELETE", base+p, nil)'
    address = 'base := "https://r.example.com"'
    other = "var a = 1\n" * 16_000
    assert commands(request, address, other) == []
    assert commands(f"{address}\n{request}", other) == ["curl -X DELETE https://r.example.com"]
    settings = 'base_url = "https://r.example.com"'
    assert commands(request, other, settings=settings) == ["curl -X DELETE https://r.example.com"]


def test_a_container_of_objects_is_no_server_for_tests():
    code = 'base := "https://r.example.com"\nhttp.NewRequest("DELETE", base, nil)'
    assert (
        commands(f"{code}\nvar b = new ContainerBuilder();\nvar s = new ServiceContainer();") != []
    )
    assert commands(f"{code}\nvar b = new PostgreSqlBuilder();") == []


def test_a_given_dry_run_makes_it_doubtful():
    code = 'base := "https://r.example.com"\nhttp.NewRequest("DELETE", base, nil)'
    assert commands(code, words=("--dry-run",)) == []


def test_the_end_of_a_very_long_line_is_not_searched():
    text = f"a // b\n{'x' * 2_000}\ny"
    assert as_searched(text, "//") == f"a     \n{'x' * 1_000}\ny"


def test_the_password_of_an_address_is_not_its_host():
    code = 'url = "http://u:p@es.example.com"\nHTTP.delete(url)'
    assert commands(code) == ["curl -X DELETE http://u:p@es.example.com"]


WAITS = {
    "not given": ('apply := flag.Bool("apply", false, "")', (), True),
    "not given to cobra": ('cmd.Flags().BoolVar(&apply, "apply", false, "")', (), True),
    "given": ('apply := flag.Bool("apply", false, "")', ("--apply",), False),
    "on by itself": ('apply := flag.Bool("apply", true, "")', (), False),
    "on by itself in pflag": ('apply := pflag.BoolP("apply", "a", true, "")', (), False),
}


@for_each(("option", "words", "is_waiting"), WAITS.values(), WAITS)
def test_an_option_that_is_on_by_itself_is_not_waited_for(option, words, is_waiting):
    code = f'{option}\nhttp.NewRequest("DELETE", "https://a.example.com/x", nil)'
    assert (commands(code, words=words) == []) == is_waiting


def go(name, body):
    return f'package main\nimport (\n\t"context"\n\t"{name}"\n)\nfunc main() {{\n\t{body}\n}}\n'


CLOUDS = {
    "rights": go(
        "github.com/google/go-github/v62/github", "c.Repositories.AddCollaborator(ctx, o)"
    ),
    "a record": go("github.com/cloudflare/cloudflare-go", "api.DeleteDNSRecord(ctx, rc, id)"),
    "a machine": go("github.com/digitalocean/godo", "client.Droplets.Delete(ctx, id)"),
    "an issue": 'use octocrab::Octocrab;\ncrab.issues(o, r).create("x");',
}
CLOUDS_CALM = {
    "reading": go("github.com/google/go-github/v62/github", "client.Repositories.List(ctx, o)"),
    "its own files": go("github.com/digitalocean/godo", 'os.Create("x")\n\tos.RemoveAll("y")'),
    "another library": go("example.com/droplets", "client.Droplets.Delete(ctx, id)"),
}


@for_each("code", CLOUDS.values(), CLOUDS)
def test_a_client_of_a_cloud_knows_its_address(code):
    assert [one.startswith("curl -X POST https://") for one in commands(code)] == [True]


@for_each("code", CLOUDS_CALM.values(), CLOUDS_CALM)
def test_what_only_reads_there_or_is_no_such_client_is_none(code):
    assert commands(code) == []


PLATFORMS = {
    "rights in a cloud": (
        go("github.com/aws/aws-sdk-go-v2/service/iam", "client.AttachUserPolicy(ctx, in)"),
        "aws",
    ),
    "a namespace": (
        go("k8s.io/client-go/kubernetes", 'cs.CoreV1().Namespaces().Delete(ctx, "x", o)'),
        "kubectl",
    ),
    "an image": (go("github.com/docker/docker/client", "cli.ImagePush(ctx, ref, o)"), "docker"),
    "a volume": (
        go("github.com/docker/docker/client", "cli.VolumeRemove(ctx, id, true)"),
        "docker",
    ),
    "commits": (go("github.com/go-git/go-git/v5", "r.Push(&git.PushOptions{})"), "git"),
    "a request of a library": (
        go(
            "github.com/go-resty/resty/v2",
            'resty.New().SetBaseURL("https://a.example.com").R().Put("/x")',
        ),
        "curl",
    ),
    "a host of a variable": (
        go("net/http", 'u := fmt.Sprintf("https://%s/x", host)\n\tc.do("DELETE", u)'),
        "curl",
    ),
}
PLATFORMS_CALM = {
    "reading": go("github.com/aws/aws-sdk-go-v2/service/iam", "client.ListUsers(ctx, in)"),
    "a local endpoint": go(
        "github.com/aws/aws-sdk-go-v2/service/iam",
        'o.BaseEndpoint = aws.String("http://localhost:4566")\n\tclient.CreateUser(ctx, in)',
    ),
    "a made-up cluster": go(
        "k8s.io/client-go/kubernetes",
        "cs := fake.NewSimpleClientset()\n\tcs.CoreV1().Pods(n).Delete(ctx, x, o)",
    ),
    "an image that is fetched": go("github.com/docker/docker/client", "cli.ImagePull(ctx, ref, o)"),
    "commits that are fetched": go("github.com/go-git/go-git/v5", "r.Fetch(&git.FetchOptions{})"),
}


@for_each(("code", "program"), PLATFORMS.values(), PLATFORMS)
def test_a_client_of_a_platform_is_the_command_that_does_the_same(code, program):
    assert [one.split()[0] for one in commands(code)] == [program]


@for_each("code", PLATFORMS_CALM.values(), PLATFORMS_CALM)
def test_a_platform_that_is_read_or_made_up_is_none(code):
    assert commands(code) == []


DROPS = "db.Database.EnsureDeleted();\n"
MAILS = "use Symfony\\Component\\Mailer\\MailerInterface;\n$this->mailer->send($email);\n"
TEXTS = "use Symfony\\Component\\Notifier\\TexterInterface;\n$this->texter->send($sms);\n"
ELIXIR = "import Swoosh.Email\nnew() |> Shop.Mailer.deliver!()\n"
BY_SETTINGS = {
    "a server with its protocol": (
        DROPS,
        '"Server=tcp:prod.example.net,1433;Database=x"',
        "prod.example.net",
    ),
    "a source with its protocol": (
        DROPS,
        '"Data Source=tcp:prod.example.net;"',
        "prod.example.net",
    ),
    "an address of a driver of Go": (
        'db.Exec("TRUNCATE a")',
        '{"addr": "db.example.net:3306"}',
        "db.example.net",
    ),
    "a relay of Symfony": (MAILS, "MAILER_DSN=smtp://a:b@mail.example.no:587", "mail.example.no"),
    "a vendor of mail": (MAILS, 'MAILER_DSN="sendgrid+api://KEY@default"', "sendgrid.vendor"),
    "a relay in a file of Symfony": (
        MAILS,
        "framework:\n  mailer:\n    dsn: 'smtp://mail.example.no'",
        "mail.example.no",
    ),
    "a vendor of short messages": (TEXTS, "TWILIO_DSN=twilio://SID:TOKEN@default", "twilio.vendor"),
    "an adapter of Swoosh": (
        ELIXIR,
        "config :shop, Shop.Mailer, adapter: Swoosh.Adapters.Postmark",
        "Postmark.vendor",
    ),
}
BY_SETTINGS_CALM = {
    "a database of this machine": (DROPS, r'"Server=(localdb)\mssqllocaldb;Database=x"'),
    "what an object says": (DROPS, "host = Setting.mail_from.to_s.strip\nserver: App.config.db_host"),
    "a file of SQLite": (f"o.UseSqlite(x);\n{DROPS}", '"Data Source=seed.db"'),
    "no relay": (MAILS, "MAILER_DSN=null://null"),
    "a relay of this machine": (MAILS, "MAILER_DSN=smtp://localhost:1025"),
    "no vendor": (TEXTS, "TWILIO_DSN=null://null"),
    "a local adapter": (ELIXIR, "config :shop, Shop.Mailer, adapter: Swoosh.Adapters.Local"),
}  # fmt: skip


@for_each(("code", "settings", "host"), BY_SETTINGS.values(), BY_SETTINGS)
def test_settings_say_where_a_client_goes(code, settings, host):
    assert any(host in one for one in commands(code, settings=settings))


@for_each(("code", "settings"), BY_SETTINGS_CALM.values(), BY_SETTINGS_CALM)
def test_settings_may_keep_a_client_here(code, settings):
    assert commands(code, settings=settings) == []


OF_CLOUDS = {
    "rules of AWS in Rust": (
        "use aws_sdk_ec2 as ec2;\nclient\n    .authorize_security_group_ingress()\n    .send().await?;",
        "aws",
    ),
    "members in Go": (
        'import "github.com/aws/aws-sdk-go-v2/service/iam"\nclient.AddUserToGroup(ctx, in)',
        "aws",
    ),
    "rules in Kotlin": (
        "import aws.sdk.kotlin.services.ec2.Ec2Client\nec2.authorizeSecurityGroupIngress { groupId = id }",
        "aws",
    ),
    "an access list in C#": (
        "using Amazon.S3;\nawait client.PutACLAsync(new PutACLRequest());",
        "aws",
    ),
    "a firewall of Google in Go": (
        'import compute "cloud.google.com/go/compute/apiv1"\nclient.Insert(ctx, &computepb.InsertFirewallRequest{})',
        "gcloud",
    ),
    "one by the other library": (
        'import "google.golang.org/api/compute/v1"\nsvc.Firewalls.Patch(project, name, fw).Do()',
        "gcloud",
    ),
    "one in Java": (
        "import com.google.cloud.compute.v1.FirewallsClient;\nclient.insertAsync(project, fw).get();",
        "gcloud",
    ),
    "roles of a project": (
        'import "google.golang.org/api/cloudresourcemanager/v1"\nsvc.Projects.SetIamPolicy(id, rb).Do()',
        "gcloud",
    ),
    "readers of a bucket": (
        'import "cloud.google.com/go/storage"\nbucket.ACL().Set(ctx, storage.AllUsers, storage.RoleReader)',
        "gcloud",
    ),
    "a rule of Azure in Go": (
        'import "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork"\nclient.BeginCreateOrUpdate(ctx, rg, nsg, rule, in, nil)',
        "az ",
    ),
    "one in C#": (
        'using Azure.ResourceManager.Network;\nawait rules.CreateOrUpdateAsync(WaitUntil.Completed, "ssh", data);',
        "az ",
    ),
    "one in Java by steps": (
        'import com.azure.resourcemanager.AzureResourceManager;\nnsg.update().defineRule("ssh").attach().apply();',
        "az ",
    ),
    "readers of a container": (
        "using Azure.Storage.Blobs;\nawait box.SetAccessPolicyAsync(PublicAccessType.Blob);",
        "az ",
    ),
    "a firewall of Hetzner": (
        'import "github.com/hetznercloud/hcloud-go/v2/hcloud"\nclient.Firewall.SetRules(ctx, fw, opts)',
        "hcloud",
    ),
    "a rule of OpenStack": (
        'import "github.com/gophercloud/gophercloud/openstack/networking/v2/extensions/security/rules"\nrules.Create(client, opts)',
        "openstack",
    ),
}
OF_CLOUDS_CALM = {
    "rules that are read": "use aws_sdk_ec2 as ec2;\nclient.describe_security_groups().send().await?;",
    "a list of Google": 'import "google.golang.org/api/compute/v1"\nsvc.Firewalls.List(project).Do()',
    "a table of Google that is read": 'import "cloud.google.com/go/storage"\nbucket.IAM().Policy(ctx)',
    "pages of Azure": 'import "github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/network/armnetwork"\nclient.NewListPager(rg, nil)',
    "a store of the program": 'import "cloud.google.com/go/logging"\nstore.users.Update(ctx, user)',
    "a file beside Azure": 'using Azure.ResourceManager;\nFile.Delete("x.tmp");',
    "servers of Hetzner": 'import "github.com/hetznercloud/hcloud-go/v2/hcloud"\nclient.Server.All(ctx)',
    "rules of no cloud": "rules.Create(client, opts)",
}  # fmt: skip


@for_each(("code", "program"), OF_CLOUDS.values(), OF_CLOUDS)
def test_what_opens_access_in_a_cloud_is_a_command_line(code, program):
    assert any(one.startswith(program) for one in commands(code))


@for_each("code", OF_CLOUDS_CALM.values(), OF_CLOUDS_CALM)
def test_what_only_reads_in_a_cloud_is_none(code):
    assert commands(code) == []
