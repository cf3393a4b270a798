"""Families of secrets, each with its relatives, and what has the same look and is none.

No value is real and none follows: each is drawn when the test runs.
"""

from __future__ import annotations

import hashlib
import json
import random
import string
from base64 import b64encode, urlsafe_b64encode

import pytest
from tests.redaction.test_recall import Draw

from operators_edge.redaction.redact import redact

# The last of the gaps is the secret. <pw>, <key>, <hex>, <uuid>: as in test_recall.
NAMED = r"""
Private m_strToken As String = "<key>"
ORDERS_TOKEN :::= "<key>"
$apiToken .= "<key>"
<apiToken>\n    <key>\n</apiToken>
buildConfigField 'String', 'API_KEY', '\"<key>\"'
buildConfigField("String", "MAPS_TOKEN", "\"<key>\"")
resValue "string", "maps_api_key", "<key>"
[System.Net.NetworkCredential]::new("svc", "<pw>")
<AdministratorPassword>\n  <Value><pw></Value>
password 51:b:<upper><upper>
heroku = <uuid>
"postmark": "<uuid>",
deepgram="<hex>"
sonarLogin = "<hex>"
splunk.hec=<uuid>
clay key: <hex>
Const DB_PWD As String = "<pw>"
Public Shared szApiKey As New String = "<key>"
auto api_key{"<key>"};
std::string password{"<pw>"};
opts := Login{Token{"<key>"}}
char token[64] = "<key>";
psk="<phrase>"
psk=<words>
passphrase=<phrase>
wifi-sec.psk "<phrase>" psk=<phrase>
hasuraAdminSecret: <four>
"webhookSecret": "<four>"
pagerduty:\n  service: web\n  integration_key: "<hex>"
"datadog": {\n  "site": "eu",\n  "api_key": "<hex>"\n}
[opsgenie]\nresponders = ops\ngenie_key = <uuid>
active_record_encryption:\n  primary_key: <key>
active_record_encryption:\n  primary_key: <id6>\n  deterministic_key: <key>
"encryption": {\n  "primary_key": "<key>"
acl {\n  enabled = true\n  tokens {\n    agent  = "<uuid>"\n  }\n}
"tokens": {"agent_recovery": "<uuid>"}}
acl:\n  tokens:\n    default: <uuid>
SMTP_PASSWORD=7@x-<pw> sendmail -t
export DB_PWD=42#<pw>
X-XSRF-TOKEN: <uuid>
<input name="csrf" type="hidden" value="<uuid>">
"_csrf": "<key>"
  ["password"]=>\n  string(12) "<pw>"
  ["db_password":protected]=>\n  string(12) "<pw>"
    [password:App\Db:private] => <pw>
password: &shared <pw>
api_token: !!str <key>
'crypt' => [\n    'key' => '<hex>'\n],
'crypt' => array (\n    'key' => '<hex>',
'passwordsalt' => '<key>',
{epgsql, [{username, "app"}, {password, "7<pw>"}]}.
"stdout": "<SecretAccessKey><key>a/<id8></SecretAccessKey>"
<password><![CDATA[<pw>]]></password>
<td>Password</td><td><pw></td>
<th>API token</th>\n  <td class="mono"><code><key></code></td>
<dt>Password</dt><dd><pw></dd>
<b>Password:</b> <pw><br>
<strong>Password</strong>: <pw></p>
- **Password**: `<pw>`
token=4?<key>
? What is your API token? <key>
code_verifier=<key>
userPassword:: <b64>
config.password ?? 'T<pw>'
Password \u2013 T<pw>
Password \u2014 `T<pw>`
<password encrypted="no">T<pw></password>
"Jwt": {"Issuer": "x", "Key": "<hex>"
the pw is still T<pw>
the password has been changed from old to <id14>x4R
the password is <words>-<code>
the api token you want is <key>
Password (one-time password is <code>
Your one-time passcode: <code>
""".strip().splitlines()

COMMANDS = r"""
psexec \\\\build-7 -u Administrator -p <pw> cmd /c ver
pac key 0 <pw>
rocommunity <id14> 10.0.0.0/8
rwcommunity6 <id8>
trapcommunity <id8>
com2sec readonly default <id8>
com2sec6 -Cn ctx notConfig 10.0.0.0/8 <id8>
authCommunity log,execute <id8>
trapsink 10.0.0.9 <pw>
createUser ops SHA-256 "<pw>"
createUser -e 0x8000 ops MD5 <id14> AES <pw>
server 10.0.0.1\nkey ddns-key. <b64>
key hmac-sha512:ddns <b64>
nsupdate -v -y hmac-sha512:ddns:<b64> f
dig -y ddns:<b64> @h x axfr
schtasks /change /tn x /ru bob /rp "<pw>"
rasdial office bob <pw>
radtest -t mschap bob 7<pw> 10.0.0.1 1812 x
radtest bob x 10.0.0.1 0 <pw>
mosquitto_sub -u bob -P 7<pw> -t x
ldappasswd -x -D cn=a -w 7<pw> -s x
swaks --to a@example.com -au bob -ap 7<pw>
isql -v shop bob 7<pw>
evil-winrm -i h -u bob -p 7<pw>
/msg NickServ IDENTIFY 7<pw>
:bob!b@h PRIVMSG NickServ :REGISTER 7<pw> bob@example.com
-> NickServ@services: GHOST bob 7<pw>
OPER bob 7<pw>
cscript slmgr.vbs /ipk <product>
Product key: <product>
<ProductKey><product></ProductKey>
C> PASS 7<pw>
IMAPAccount a\nUser ada\nPass 7<pw>\n
cache_peer proxy.example.org parent 3128 0 login=ada:<pw>
BUNDLE_GEMS__EXAMPLE__ORG: "ada:<key>"
npmAuthIdent: "ada:<pw>"
stats auth ada:<pw>
unrar x -hp<pw> a.rar
rar a -p<pw> a.rar b
security add-generic-password -a ada -s x -w 7<pw>
security import c.p12 -P 7<pw> -k x
db2 connect to sample user ada using <pw>
SELECT pgp_sym_decrypt(data, '7<pw>') FROM t;
SELECT pgp_sym_encrypt('a b', '7<pw>');
SELECT AES_DECRYPT(UNHEX(c), '7<pw>');
SELECT EncryptByPassPhrase('7<pw>', c);
PRAGMA key = '<pw>';
pragma rekey("<pw>");
snmpwalk -v2c -c 7<pw> 10.0.0.1 system
enable secret 7<pw>
enable password level 3 7<pw>
rootpw --plaintext <pw>
setx DB_PASSWORD 7<pw>
setx /M API_TOKEN <key>
net use \\nas\share /user:ada 7<pw>
write(3, "AUTH <key>\r\n", 27) = 27
(gdb) p password\n$1 = "7<pw>"
127.0.0.1:6379> HGETALL user:1\n1) "mail"\n2) "a"\n3) "password"\n4) "7<pw>"
codecov -t <uuid> -f a.xml
request.basic_auth 'ada', '7<pw>'
use <words>-<code> as the admin password for staging
default creds ada:<words>-<code>
sftp ada:<words>-<code>@h.example.net
let pass: String = "<words>-<code>"
username root, password <words>-<code>
Seeded ada@example.org / <words>-<code>
grafana admin / <words>-<code>
users:\n  ada: k3xq9fmzt2<id6>
mysql -u root '-p7<pw>' -h h
useradd -m -p '<words>-<code>' ada
curl -u '<key>' https://api.example.com/v1/charges
gh secret set API_KEY -b<key>
chamber write svc db_password <words>-<code>
ftp> user ada <words>-<code>
influx auth create -t <key>
jenkins-cli -auth ada:7<pw> build x
caddy hash-password --plaintext '7<pw>'
cryptsetup luksOpen /dev/sdb1 x <<< '7<pw>'
pass insert -e x <<< 7<pw>
Sec-WebSocket-Protocol: bearer, <key>
pymysql.connect('h', 'u', '7<pw>', 'd')
Assert.Equal("T<pw>", settings.Password)
assert_eq!(cfg.password, "T<pw>");
strcmp(pass, "<key>") == 0
(def db-pass "T<pw>")
WLAN-Schlüssel: 7<pw>
credentials ada:Tw7<pw>
Seeded ada@example.org / Tw7<pw>
PIN for the vault card: <code>
"pin": "<code>"
Backup verification codes\n1. <code4> <code4>
Make sure to copy your token now:\n<key>
userlist x\n  user ada insecure-password <words>-<code>
AUTH_USERS="ada:7<pw>"
users:\n  ada: Tw7<pw>
auth:\n  - ada:Tw7<pw>
[users]\nada = Tw7<pw>, admin
secrets:\n  db: <hex>
stringData:\n  user: ada\n  db: Tw7<pw>
{"secrets": {"db": "<hex>"}}
wpa-psk T<pw>
pre-shared-key local T<pw>
WEBHOOK_URL=https://hooks.example.org/<hex>
new UsernamePasswordAuthenticationToken("ada", "7<pw>")
User.withUsername("ada").password("{noop}7<pw>")
accounts: ["0x<hex><hex>"]
0x<hex><hex> # private key of the first account
"keyName": "key1",\n "permissions": "FULL",\n "value": "<key><key>=="
ValidationError: for Settings\napi_key\n  Input should be valid [type=string, input_value='<key>']
chpasswd:\n  list: |\n    ada:Qx7<pw>\n    bob:Tw7<pw>
u/n ada p/w 7<pw>
$ echo "$REGISTRY_PASS"\n7<pw>
$ echo ${REGISTRY_PASS}\n7<pw>
https://mainnet.infura.io/v3/<hex>
wss://sepolia.infura.io/ws/v3/<hex>
https://eth-mainnet.g.alchemy.com/v2/<id24>x<id6>y
https://open.feishu.cn/open-apis/bot/v2/hook/<uuid>
https://maker.ifttt.com/trigger/door/with/key/<id24>
curl -fsS https://hc-ping.com/<uuid>
https://late-sky.quiknode.pro/<hex><code4><code4>
CC_TEST_REPORTER_ID=<hex><hex>
kaggle.json {"username":"ada","key":"<hex>"}
etcdctl user add root:7<pw>
vault operator unseal <key>8=
mc admin user add store ada 7<pw>
printf '7<pw>' | docker secret create db_pass -
ssh-keygen -p -P 'Old7-pw' -N '7<pw>' -f k
net ads join -U Administrator%7<pw>
register => ada:7<pw>@sip.example.org/ada
http://127.0.0.1:8000?tkn=<uuid>
keyring.set_password('svc', 'ada', '7<pw>')
AESGCM(bytes.fromhex('<hex><hex>'))
bcrypt.hash('7<pw>', 10)
bcrypt.hashpw(b'7<pw>', bcrypt.gensalt())
bcrypt.GenerateFromPassword([]byte("7<pw>"), 12)
new google.auth.OAuth2(clientId, '<id24>', redirect)
const client = twilio('AC<hex>', '<hex>');
cookieSession({ name: 's', keys: ['<key>'] })
new Sequelize('db', 'app', '7<pw>', { host: 'x' })
token.SignedString([]byte("<key>"))
get("/").with(httpBasic("ada","7<pw>"))
config.pepper = '<hex><hex>'
config.access_token = "<key>"
Net::SMTP.start('h', 25, 'd', 'u', '7<pw>', :plain)
hash_hmac('sha256', $d, '<key>')
openssl_encrypt($d, 'aes-256-cbc', '<key>', 0, $iv)
curl_setopt($ch, CURLOPT_USERPWD, "ada:7<pw>");
curl_setopt($ch, CURLOPT_PASSWORD, '7<pw>');
SecretString::new("7<pw>".into())
SecretString::new(String::from("7<pw>"))
ALTER USER scott IDENTIFIED BY Qx7<pw>;
CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY "7<pw>" USING 'x';
EXEC sp_addlogin 'ada', '7<pw>';
INSERT INTO api_keys(name, key_value) VALUES ('ci', '<key>')
Connecting with key <key>
using credentials ada/Tw7<pw>
OTP for ada is <code>
2FA code: <code>
reset it: https://example.org/password-reset/<key>
https://example.org/invite/<hex>?next=1
<p>Your password is <strong>Tw7<pw></strong></p>
pass phrase: 7<pw>
Token ➜ <key>
host db1, user app, pass Tw7<pw>
usuario: admin clave: Tw7<pw>
swift -A http://h/auth -U a:b -K <key> list
ossutil config -k <key> -e h
ssserver -k 7<pw> -m aes-256-gcm
trojan://7<pw>@h.example.org:443
ss://<key>@h.example.org:8388
vmess://<key><key>
ffmpeg -i a rtmp://h.example.org/live2/<key>
nmcli con add type wifi wifi-sec.psk 7<pw>
<keyMaterial>7<pw></keyMaterial>
mega-login ada@example.org Tw7<pw>
sqlmap --auth-cred "ada:7<pw>"
         * NTLM     : <hex>
autogenerated passphrase "<four>"
BitLocker recovery key: <six>-<six>-<six>-<six>-<six>-<six>-<six>-<six>
Numerical Password:\n    ID: {<uuid>}\n    Password:\n      <six>-<six>-<six>-<six>-<six>-<six>-<six>-<six>
serial key A7B2-C9D4-E5F6-<code4>
Activation key: A7B2-C9D4-E5F6-<code4>
passkey: <code>
tccli configure set secretId AKIDx secretKey <key>
aws configure set aws_secret_access_key <key>
pass_phrase=7<pw>
WIFI:S:home;T:WPA;P:7<pw>;;
WIFI:T:WPA;R:1;S:a\;b;H:true;P:<pw>;;
$ cat userlist.txt\n"ada" "7<pw>"
$ cat userlist.txt\n"ada" "Zx9!kf7Q"\n"bob" "7<pw>"
{"name": "DB_SECRET", "slotSetting": false, "value": "<key>"}
{"key": "API_TOKEN", "variable_type": "env_var", "masked": true, "value": "<key>"}
a hard-coded key `<key>` in src/api.ts
the ssh pass for the pi: 7<pw>
Authorization: Bearer\n  <key>
Bearer:\n <key>
SetEnv DB_PASS 7<pw>
fastcgi_param DB_PASSWORD 7<pw>;
spark.hadoop.fs.s3a.secret.key <key>
ldap_default_authtok = 7<pw>
factory :user do\n  password { '7<pw>' }
cy.get('#pw').type('7<pw>')
page.fill('input[name=password]', '7<pw>')
When I fill in "Password" with "7<pw>"
fill_in 'Password', with: '7<pw>'
the apiKey entered <key>
$ kwallet-query -r x kdewallet\n<key>
etcdctl get /app/db/password\n/app/db/password\n7<pw>
le mdp: Tw7<pw>
curl -u <key>:X https://example.freshdesk.com/api/v2/tickets
curl -u <key>:api_token https://api.track.toggl.com/api/v9/me
curl --user "<key>:" https://api.example.com/
""".strip().splitlines()

HOSTS = r"""
connecting to ada:<pw>@db01.example.local ...
scp a.csv ada:<pw>@files.example.net:/in
git clone ci-bot:<key>@git.example.org/acme/app.git
proxy ada:7x-<pw>@proxy.example.com:3128
PROXY=corp\\ada:quiet-river-38-<code>@proxy:8080
"ada:<id14>@10.1.2.3:9200"
sip:1001:<pw>@pbx.example.org
connect('sa:<pw>@mssql.example.com/master')
hr/7<pw>@ora.example.com:1521/HRPDB
secretsdump.py corp/ada:'7<pw>'@10.0.0.5
ada:<id14>@localhost
ada:<id14>@[fd00::1]:5432
""".strip().splitlines()

CRACKED = r"""
$ hashcat -m 0 --show h.txt\n<hex>:<words>
$ hashcat -m 10 --show h.txt\n<hex>:salt7:7<pw>
<hex>:Zx7<pw>
found <hex>:Zx7<pw>
$ john --show shadow\nroot:7<pw>:0:0:root:/root:/bin/sh\n\n1 password hash cracked, 0 left
Loaded 2 password hashes with 2 different salts (sha512crypt)\n7<pw>         (root)\n
7<pw>     (ada)\n2g 0:00:00:03 DONE
$2y$10$<id24><id24>abcde:7<pw>
$krb5tgs$23$*svc$CORP.LOCAL$corp/svc*$<hex>$<hex><hex>:7<pw>
[+] 10.0.0.5:445 CORP\ada:7<pw> (Pwn3d!)
SMB  10.0.0.5  445  DC01  [+] corp.local\ada:7<pw>
SUCCESS: 'ada' : '7<pw>'
KEY FOUND! [ 7<pw> ]
ada:7<pw> - Success!
ada::CORP:1122334455667788:a1<id6>:<hex>:0101000000000000<hex>
""".strip().splitlines()

IN_CONTEXT = r"""
GET /v1/search?token=<key>&page=6 HTTP/1.1
Credentials for the billing host: dora / Tw7<pw> (port 2222)
await page.getByLabel('Password').fill('<pw>7x');
driver.find_element(By.ID, "password").send_keys("<pw>7x")
cy.get('#api-token').type('<key>')
S3_SECRET_ACCESS_KEY=91+<key>
define('AUTH_KEY', 'F7:(u@EM)<key><9*E');
/projects/list?q=a&api_key=<key>
https://example.org/state?secret=<key>
p.expect('assphrase for key')\np.sendline('<words>')
e.expect(/Password/i)\nlog("x")\ne.sendline("<pw>")
$exp->expect(5, 'password: ');\n$exp->send("<pw>");
Enter <code> as your login code.
<code> is your Contoso verification code
Your security code: <code>
Your sign-in code is <code>.
activation code for bob: <code>
recovery codes:\n- <code4> <code4>
Token created. You won't be able to see it again.\n\n<key>
This secret will not be shown again:\n\n    <key>
curl https://mm.example.org/hooks/q<code>xc2lmz7<low12>
https://chat.example.org/hooks/<id14>abc/<key><id8>
<base32>\n" TOTP_AUTH
" WINDOW_SIZE 3\n" TOTP_AUTH\n4<code>9
.example.com\tTRUE\t/\tTRUE\t1767225600\tsid\t<key>
#HttpOnly_h.example.com\tFALSE\t/\tFALSE\t0\tSESSION\t<uuid>
#HttpOnly_h.example.com   FALSE   /   FALSE   0   SESSION   <key>
"n": "abc", "dq": "<key><key>"
"kty": "oct", "k": "<key>"
git clone https://<key>:x-oauth-basic@git.example.com/a
https://<key>:@api.example.com/v1
NEW_RELIC=x --with <hex><hex4>NRAL
./a <hex>FFFFNRAL
env::var("API_SECRET").unwrap_or("<pw>".into())
env::var("DB_PASSWORD").unwrap_or_else(|_| "<pw>".to_string())
option_env!("API_TOKEN").unwrap_or("<key>")
val key = System.getenv("API_KEY") ?: "<key>"
getenv('DB_PASSWORD') ?: '<pw>'
String.fromEnvironment('API_KEY', defaultValue: '<key>')
config.get('smtp', 'password', fallback='<pw>')
api_key: SecretStr = Field(default="<key>")
.option('api-key', { default: '<key>' })
[{user,"bob"},{password,<<"<pw>">>}]
s:8:"password";s:16:"<pw>";
│ token       │ <uuid>  │
user|bob|token|<hex>
<a:SharedSecret xmlns:a='http://schemas.example.org/2012/01/secrets'><key></a:SharedSecret>
<stringProp name="Argument.name">password</stringProp>\n<stringProp name="Argument.value"><pw></stringProp>
user      = bob\npass      = <key>\nport      = 25
bind_pw   =   <pw>
WEBHOOK_HMAC=<key>
usernamePassword('bob', '<pw>')
dscl . -passwd /Users/bob <pw>
signtool sign /f c.pfx /p <pw> app.exe
kubectl create secret generic api --from-literal=value=<pw> -n prod
kubectl create secret generic api --from-literal=a=b --from-literal=value=<key>
\\set dbpass '<pw>'
read -sp 'Password: ' pw <<< <pw>
bob * <pw> *
$ consul keygen\n<b64>
Token:\n```\n<key>\n```
Der API-Schlüssel ist <key>
clé API : <key>
clave de API: <key>
u/p: bob/<pw>
mot de passe : « <pw> »
पासवर्ड: <pw>
https://app.example.org/magic-login/<key>
https://calendar.example.org/calendar/ical/x%40example.org/private-<hex>/basic.ics
Client('AC<hex>', '<hex>')
curl -u AC<hex>:<hex> https://api.example.org
"id": "https://a.vault.azure.net/secrets/db/<hex>",\n  "tags": null,\n  "value": "<pw>"
{"CiphertextBlob": "x", "Plaintext": "<b64>"}
Command ['docker', 'login', '-u', 'ci', '-p', '<pw>'] failed
subprocess.run(['sshpass', '-p', '<pw>', 'ssh', 'h'])
args:\n- --password\n- <pw>\n- --mode\n- x
command: ["redis-cli", "-a", "<pw>", "ping"]
"Cmd": [\n  "curl",\n  "-u",\n  "bob:<pw>"\n]
command:\n  - sshpass\n  - -p\n  - '<pw>'\n  - ssh
execve("/usr/bin/ldapsearch", ["ldapsearch", "-D", "cn=a", "-w", "<pw>"], 0x7)
- value: '<pw>'\n  name: DB_PASSWORD
- value: <pw>\n  name: DB_PASSWORD
## Password\n\n`<pw>`
new ethers.Wallet('0x<hex><hex>', provider)
{"name":"sessionid","value":"<key>","path":"/"}
machine h.example.org\n  login bob\n  password R+=<pw>
app:dbPassword     <pw>=:x
password    <pw>=x:y
props.put("mail.smtp.password", "Qx<low12>");
sudo -S apt update <<EOF\n<pw>\nEOF
aws_sec_key <key>
SECRET_KEY = 'app-<key>)w-%d(*<key>'
Connection(server, 'cn=admin,dc=x', '<pw>')
ldap_bind($c, 'uid=x', '<pw>')
FTP('ftp.example.org', 'bob', '<pw>')
Net::FTP.new('h', 'u', '<pw>')
ssh2_auth_password($c, 'u', '<pw>')
tn.read_until(b'Password: ')\ntn.write(b'<pw>')
cx_Oracle.connect('u', '<pw>', 'db/x')
Minio("h:9000", "minio", "<pw>", secure=False)
tweepy.OAuthHandler('<id14>', '<key>')
URLSafeSerializer('<pw>')
check_password_hash(h, '<pw>')
password_verify('<pw>', $hash)
Buffer.from('bob:<pw>').toString('base64')
'Basic ' + btoa('bob:<pw>')
CryptoJS.AES.encrypt(text, '<pw>')
  DBPassword:\n    Type: String\n    NoEcho: true\n    Default: <pw>
value = sensitive("<pw>")
secrets = {\n  smtp = "<pw>"\n}
Generating random password... <key>
Save this key somewhere safe: <key>
Unlock code: <six>
Use code <six> to sign in
OTP for your transaction is <six>. Do not share
{"username":"u","key":"<hex>"}
{'$write_key',<<"<hex>">>}.
密码: Qx<low12>Zk
Пароль от сервера: Qx<low12>Zk
Generating a token... <key>
{"line": "bob * <pw> *"}
ENV ROOT_PW <pw>
FROM x\nENV DEFAULT_PASS <pw>
ARG API_KEY <hex>
CARGO_REGISTRY_TOKEN=Qx<low12>
DB_PWD="/<key>"
db creds -> app:<pw>
Zugangsdaten: bob / <pw>
identifiants : bob / <pw>
postgres / <pw>
guest wifi: <pw>
kata sandi: <pw>
passord: <pw>
lozinka: <pw>
API Key - <key>
token >> <key>
rotate key <key>
mkstore -wrl . -createCredential db u <pw>
(echo <pw>; echo <pw>) | smbpasswd -s -a bob
echo -e '<pw>\\n' | passwd bob
echo <pw> | realm join -U a example.org
7z a -p'<pw>' a.7z x
cf create-user bob <pw>
salt '*' shadow.set_password root '<pw>'
gh secret set X -b "<pw>"
curl -sSLu ci:<pw> https://h
winrs -r:h -u:u -p:<pw> dir
the pair LTAI<id14> / <id14><id14>ab
glcbt-1a_<key>-x
./a glcbt-64_<id6>-<id14>
{"h": "$P$B<id14><id14>ab"}
$S$D<id24><id24>abc
grub.pbkdf2.sha256.10000.<hex><hex>.<hex><hex>
pbkdf2_sha512$100000$<id14>$<key><key>=
""".strip().splitlines()

HARMLESS = r"""
credentialsId: '<uuid>'
withCredentials([file(credentialsId: '<uuid>', variable: 'FILE')])
"credentialId": "<key>",
notes = "Maven - io.jsonwebtoken:jjwt-jackson-0.11.2"
db.password=\ndb.url=jdbc:postgresql://db/orders
DB_PASSWORD=\nDB_NAME=orders
my-heroku = <uuid>
bot_token: xoxb-yyyyyyyyyyyy-yyyyyyyyyyyy
slmgr /ipk XXXXX-XXXXX-XXXXX-XXXXX-XXXXX
product key is 5 groups of 5 signs, as on the box
/files/search?next_token=<key>
page.getByLabel('Password').fill(process.env.E2E_PASSWORD)
await page.getByLabel('Email').fill('dora@example.org')
max_tokens: 100+20
Login for the portal: ask / see the wiki
token: 12/34
slack_bot_token = <your-token>\nverify = true
api-key: "<my-api-token>"\nretries: 3
return nil, ErrBadToken{"expected an identifier"}
existingSecret: my-release-postgres-credentials
tlsSecret: shop-front-end-wildcard
secret: the-usual-place-of-things
sentry:\n  release: <sha>\n  event_id: <hex>
rocommunity public
trapsink 10.0.0.9
child.expect("login:")\nchild.sendline("bobby")
1045 is your error code
exit code: 4829
the access code 2024-01 is for the door
Write the seed phrase down and keep it where nobody would ever look for it later
Your recovery phrase:\nnever share it and keep the words safe from people who are near
Token created.\n\nGET /api/v1/orders
.example.com\tTRUE\t/\tFALSE\t1767225600\ttheme\tdark-blue
.example.com\tTRUE\t/\tFALSE\t1767225600\t_ga\tGA1.2.1423584.512313
{"kty":"RSA","n":"<key>","e":"AQAB"}
{"qi": "of-the-usual-kind", "q": "words that are looked for", "k": "by-some-other-name"}
posthog.init('phc_<key><id14>')
mapboxgl.accessToken = 'pk.eyJ<key>.<id24>';
Sentry.init({ dsn: "https://<hex>@o42.ingest.de.sentry.io/17" });
applicationServerKey: urlBase64ToUint8Array('BL<key><key><id14><id6>a')
vapid_key: "BL<key><key><id14><id6>a"
"hashed_secret": "<sha>"
{"password": "[FILTERED]", "token": "<hidden>", "secret": "[MASKED]", "api_key": "***"}
password: (sensitive value), secret: xxxxx
API_TOKEN=FIXME
DB_PASSWORD=changeme
encryptedData:\n    password: AgB<key><key><key><key><key><key><key><key>
<ds:X509Certificate>MIIDazCCAlOgAwIBAgIU<key><key></ds:X509Certificate>
certificate: MIIBszCCAVmgAwIBAgIU<key><key>
minisign -Vm a.tgz -P RWQf<key><id14><id6>
signify -V -P RWR<key><id14><id6>a
$token-spacing-lg: 24px; $token-delay: 200ms;
--token-angle: 45deg; --token-size: 1.5rem
credentials: svc@shop-prod-42.iam.gserviceaccount.com
Using account credentials of [ci-bot@shop-prod-42.iam.gserviceaccount.com]
mysql -u root -p\nEnter password:
token_type: Bearer\nexpires_in: 3600
token_type: Bearer\n  scope: repo
Sec-WebSocket-Key: <id14><id8>==
enable secret level
Pass the salt\nPass 12 of 30\nPass -n to skip
<td>Password</td><td>Role</td>
<th>password</th><th>string</th>
<p>Forgot your password?</p><p>Reset it here</p>
Forgot your password? Contact-support
{password, "and", other}
snmpget -v2c -c public 10.0.0.1 sysName
docker build -t <uuid> .
SELECT encode(hmac(a, b), 'hex') FROM t;
login=true
curl -u ada: https://h/
switch token { "(": 7 }
the key `some_long_name_of_a_key` and the key `<sha256>`
{"name": "token", "protected": false, "value": null}
two pass for now: all12
tool configure set region eu-west-1 output json
wifi: the password is on the wall; P: none
WIFI:T:nopass;S:guest;;
cat userlist.txt\n"ada" "<your-password>"
curl -s https://example.org/a -k
git stash push -k some-words-that-are-a-name-of-it
wss://h.example.org/stream rediss://cache:6379
rtmp://h.example.org/live/my-own-stream-of-the-day
a passphrase end-to-end
recovery key: see the safe
activation code: none
page.fill('input[name=email]', 'ada7@example.org')
When I fill in "Password confirmation" with "nothing"
SetEnv DB_PASS ${DB_PASS}
spark.hadoop.fs.s3a.secret.key  ${S3_KEY}
user identified by email; then confirmed
Signed with key SHA256:<fingerprint>
cached with key user:1204:profile_of_the_day
entry with key <uuid>
entry with key <sha256> found
with credentials tests/data/x7.json
two failed, pass rate 7, pass all12
https://example.org/docs/verify/how-to-check-a-signature
https://example.org/confirm/the-order-that-you-placed
keys: ['ArrowLeft', 'ArrowRight']
keys: ['<sha256>']
config.session_key = "example_session"
config.cache_key = "<words>"
bcrypt.hash(password, 10)
bcrypt.compare('password', hash)
OTP is enabled
getPassword(), SecretString::new(value)
hash_hmac('sha256', $data, $this->key)
new OAuth2(clientId, clientSecret, redirect)
const client = twilio(process.env.SID, process.env.AUTH);
<script nonce="<id14><id8>==" src="/a.js"></script>
https://docs.infura.io/v3/api
wallet: [1, 2, 3]
ValidationError: for Settings\nname\n  Input should be valid [type=string, input_value='<words>']
1) "name"\n2) "<words>"
ada@db01.example.local: connected
To: ada7@example.org, cc:ada1990@example.org, user:ada1990@example.org
12:30:45@noon ssh://git@example.com/a/b
npm:react7@18.2.0 core:core-ktx7:1.12.0@aar redis:7.2@sha256:<sha256>
handleClick7@webpack-internal:///./src/App.js:23:7 step2x@app.js:10:5
ada:$PASS@h.example.org:1 ada:<password>@h.example.org user:password@hostname:5432/db
<hex>:  main.o
<hex>:10:20
<sha256>:/etc/hosts
<sha>:src/Main2.java
<sha>: OK
Loaded 1 password hash (bcrypt [Blowfish 32/64 X3])\nNo password hashes left to crack (see FAQ)
0g 0:00:00:10 DONE (2031-11-03 10:00) 0g/s 1234p/s
hello (world)
Recovered........: 0/1 (0.00%) Digests
[+] Building 12.3s (14/14) FINISHED
pre-shared-key: see vault
www-authenticate: Digest realm="x", qop="auth", nonce="<id24>=="
users:\n  ada: admin\n  bob: editor-2
users:\n- name: kubernetes-admin2A
secrets:\n  - db_password\nversion: 1a2B3c4d5e
secrets:\n  DB: ${{ secrets.DB }}
secrets:\n  db_password:\n    file: ./db_password.txt
secrets: inherit
spin: 4000, ping: 1200, pin=17, pin: 3.14
PIN must have 6 digits
Password \u2013 mandatory field
token \u2014 32-byte string
password:: see below
assertEqual(token, "abc-def")
assert.equal(token, "identifier")
curl -u ada https://h.example.org
credentials are read from ~/.aws/credentials
the password is sha256-hashed
copy your files:\nsrc/components/Button2.tsx
jq . <<< '{"a": 1}'
http_auth: realm:Private
PASS: test-login-flow-12
docker compose -p shop-staging-12 up
user / read-only, admin / editor
go: downloading github.com/google/pprof v0.0.0-20210720184732-<id6>
github.com/acme/keys v1.2.3-0.20210720184732-<hex4>/go.mod h1:<fingerprint>=
root:*:20228:0:99999:7:::
System.Core, Version=4.0.0.0, PublicKeyToken=<hex4><hex4><hex4><hex4>
aws ec2 run-instances --client-token <uuid>
"ClientToken": "<uuid>"
secret_id_accessor=<uuid>
ACCESS_TOKEN_LIFETIME=15m, TOKEN_AGE=1h30m
"password": "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
inputs = ['TEXT', 'PASSWORD', 'CHECKBOX']
print(f"password={password!r}")
return f'machine {host} login {user} password {self.password}'
util.debug('a proxy, token=%r', token); log("ask-password: %m")
longopt_pat = r'[a-zA-Z](?:[a-zA-Z0-9-]*)'
extract(member, mode, pwd=pwd)
is_named ? "token" : "nterm"
Token.Keyword: "bold", token.info = "auto", "token": "REDIRECT"
$labels['newkeypass'] = 'Geslo'; $lang['user_pass'] = 'Passord';
.codicon-compass:before,.codicon-compass-dot-7:before{content:"x"}
lib/x.py,sha256=qaN-fw_<key>,160
std::env::var("PORT").unwrap_or("8080".into()), map.get("key").unwrap_or("none")
parser.add_argument("--token-file", default="tokens.txt")
{"name": "password", "type": "string", "default": ""}
s:8:"password";s:4:"none";
│ token   │ string │ required │
user|password|role
key       | value of the key
pass      = 12 of 30
hmac = sha256, key   = name
h = n * gc->lineheight * gc->cex * dd->dev->cra[1]
7 * 24 * 60 * 60 seconds, bob * 12 * x
kubectl create secret generic db --from-literal=host=localhost
kubectl create secret generic db --from-file=./a1.txt
Der Schlüssel ist der Name des Feldes
clé primaire : identifiant_de_la_commande
u/p: user/password
https://app.example.org/join/the-team-that-you-were-invited-to
https://a.vault.azure.net/secrets/db
Zugangsdaten: siehe Tresor, identifiants : voir le coffre
postgres / 14-alpine, oracle / 19c
wifi: connected, wlan: wlan0-ap1
- token - the value that the server returns
key - name-of-the-field-in-the-request
cat token >> list-of-all-the-names-of-files
rotate key every 90 days, revoke key user-1204-of-the-day
7z x -pNone archive.7z
curl -sSLo out https://h:443/x
cf create-user bob
winrs -r:h dir
ENV API_KEY_HEADER X-Api-Key\nENV TOKEN_FILE /run/x\nENV SECRET_KEY $X\nARG NPM_TOKEN\nARG X_KEY none
registryKey = "HKLM-Software-x86"
PWD=/home/bob/work7/src
密码错误 请重试
Пароль: неверный password
Cookie: _ga=GA1.2.9010427233.3800775210; theme=dark
Connection("db.example.org", "orders7")
tn.read_until(b'login: ')\ntn.write(b'bob7\n')
read("Password: ")\nsys.stdout.write("ok")
Buffer.from('image:png'), btoa('user:password'), b64encode(b'name:value')
check_password_hash(user.password, password)
  Port:\n    Type: Number\n    Default: 8080
  PasswordPolicy:\n    Type: String\n    Default: strict2
  Token:\n    type: string\n    description: x\n    default: none
value = sensitive(var.db_password)
secrets = {\n  name = "database"\n}
Reading key... done
Loading token... finished
this key is used for: sorting-the-rows-of-a-table
Use code 100 to exit, use code SUMMER25 to save
{"username":"u","key":"the-key-of-the-row"}
run(['docker', 'run', '-p', '8080:80', '-v', '/data1:/data', 'nginx:1.25-alpine3'])
parser.add_argument('-p', '--port', '-P', 'abc7')
args:\n- --port\n- "8080"\n- --token-file\n- /run/t1
run(["git", "commit", "-m", "fix: user2:login"])
- value: ${X}\n  name: DB_PASSWORD
- value: none\n  name: PASSWORD_POLICY\n- value: 2x4\n  name: SIZE
login bob\n  password expires in 3 days
password    string     required
web:password    required
stellar account G<id14>
"plaintext": "hello world"
Account AC<hex> in message SM<hex>
Token:\n```\nsee the vault\n```
$ consul keygen --help\nUsage: consul keygen
src/credential_words.py:6731: 1796123876109550955
podman run --userns=auto:size=65536 ubi8
hg identify -r 28ad74
CJK UNIFIED IDEOGRAPH-9FA6..CJK
transition_<sha> -> place_<sha>
https://discuss.example.org/t/app-3-12-how-to-not-crash-and-get-results/33144
- Bearer https://tools.example.org/html/rfc6750
p_key = X509_PKEY_new();
# define SEC_E_CREDENTIALS     ((HRESULT)0x8009030DL)
""".strip().splitlines()


class Drawn(Draw):
    """The same with some more gaps."""

    def _value(self, name: str) -> str:
        match name:
            case "phrase":
                return super()._value("words").replace("-", " ")
            case "four":
                return "-".join(
                    self._random.sample(["tulip", "gravel", "onyx", "barley", "heron"], 4)
                )
            case "code":
                return f"{self.run('13579', 1)}{self.run('0246', 1)}{self.run('579', 1)}{self.run('0123', 3)}"
            case "six":
                return self.run(string.digits, 6)
            case "product":
                return "-".join(self.run("BCDFGHJKMPQRTVWXY2346789", 5) for _ in range(5))
            case "code4":
                return self.run(string.digits, 4)
            case "low12":
                return self.run(string.ascii_lowercase, 12)
            case "hex4":
                return self.run("0123456789abcdef", 4)
        return super()._value(name)


CASES = [
    pytest.param(line, seed, id=f"{line[:50]}-{seed}")
    for line in NAMED + COMMANDS + HOSTS + CRACKED + IN_CONTEXT
    for seed in range(2)
]


@pytest.mark.parametrize(("line", "seed"), CASES)
def test_a_secret_of_a_family_is_hidden_with_its_relatives(line: str, seed: int) -> None:
    text, secret = Drawn(seed).filled(line)
    assert secret in text
    assert secret not in redact(text)


def test_nearly_every_secret_of_a_family_is_hidden_in_a_string_of_json() -> None:
    cases = [Drawn(0).filled(line) for line in NAMED + COMMANDS + HOSTS + CRACKED + IN_CONTEXT]
    left = [text for text, secret in cases if secret in redact(json.dumps({"out": text}))]
    assert len(left) <= 0.01 * len(cases), left


@pytest.mark.parametrize("line", HARMLESS)
def test_what_only_looks_like_one_of_a_family_stays(line: str) -> None:
    text, _ = Drawn(1).filled(line)
    assert redact(text) == text


def bot_token(draw: random.Random, *, of: str) -> str:
    first = b64encode(of.encode()).decode().rstrip("=")
    signs = string.ascii_letters + string.digits + "-_"
    return f"{first}.G{''.join(draw.choices(signs, k=5))}.{''.join(draw.choices(signs, k=38))}"


@pytest.mark.parametrize("digits", [17, 18, 19, 20])
@pytest.mark.parametrize("seed", range(5))
def test_a_bots_token_is_known_by_the_number_that_it_begins_with(seed: int, digits: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - the same values in each run
    number = "".join(draw.choices("123456789", k=digits))
    token = bot_token(draw, of=number)
    assert redact(f'(gdb) p x\n$1 = "{token}"') == '(gdb) p x\n$1 = "[REDACTED:discord]"'


def test_what_begins_like_a_bots_token_with_no_number_is_none() -> None:
    token = bot_token(random.Random(1), of="release notes 12.3")  # noqa: S311 - as above
    assert "discord" not in redact(f"see {token}")


ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def in_base58(data: bytes) -> str:
    number = int.from_bytes(
        data + hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4], "big"
    )
    text = ""
    while number:
        number, rest = divmod(number, 58)
        text = ALPHABET[rest] + text
    return text


@pytest.mark.parametrize(
    ("before", "behind"), [(b"\x80", b"\x01"), (b"\x80", b""), (b"\xef", b"\x01"), (b"\xef", b"")]
)
def test_a_wallets_key_is_known_by_its_checksum(before: bytes, behind: bytes) -> None:
    key = in_base58(before + random.Random(7).randbytes(32) + behind)  # noqa: S311 - as above
    assert redact(f"agent --id 4 {key} --x") == "agent --id 4 [REDACTED:bitcoin] --x"
    wrong = key[:-1] + ("a" if key[-1] != "a" else "b")
    assert redact(f"agent --id 4 {wrong} --x") == f"agent --id 4 {wrong} --x"


@pytest.mark.parametrize("version", ["0488ade4", "049d7878", "04b2430c", "04358394", "045f18bc"])
def test_an_extended_key_of_a_wallet_is_hidden(version: str) -> None:
    key = in_base58(bytes.fromhex(version) + random.Random(7).randbytes(74))  # noqa: S311 - as above
    assert redact(f"<p>{key}</p>") == "<p>[REDACTED:bip32]</p>"


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("<hex>-1a2b3c4d-<hex4><hex4>", "[REDACTED:mailgun]"),
        ("2/<digits16>/<digits16>:<hex>", "2/<digits16>/[REDACTED:asana]"),
        ("1/<digits16>:<hex>", "1/[REDACTED:asana]"),
        ("<hex24>:<hex><hex>", "[REDACTED:ghost]"),
    ],
)
@pytest.mark.parametrize("line", ["Received: {}", "run `demo {}` now", "{}", '"{}"', "x={},y"])
def test_groups_of_digits_are_known_without_a_word(line: str, token: str, shown: str) -> None:
    draw = random.Random(3)  # noqa: S311 - as above
    for gap, signs, size in (("<hex24>", "0123456789abcdef", 24), ("<hex4>", "0123456789abcdef", 4),
                             ("<hex>", "0123456789abcdef", 32), ("<digits16>", "123456789", 16)):  # fmt: skip
        value = "".join(draw.choices(signs, k=size))
        token, shown = token.replace(gap, value), shown.replace(gap, value)
    assert redact(line.format(token)) == line.format(shown)


@pytest.mark.parametrize(
    "text",
    [
        "0aa33df8-fd5a-4d32-8b84-9a187d7ac25c-0aa33df8-fd5a4d32",
        "layer 3f2ab8c9d0e1f2a3b4c5d6e7f8091a2b-3f2ab8c9-d0e1f2a3b4c5",
        "at 17672256001234:0 1767225600123456",
    ],
)
def test_other_groups_of_digits_stay(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("count", [12, 15, 18, 21, 24])
@pytest.mark.parametrize(
    "form",
    [
        "Your recovery phrase:\n{}",
        "Secret recovery phrase - keep it safe\n\n  {}\n",
        "mnemonic: {}",
        "seed words:\n> {}\n",
    ],
)
def test_the_words_of_a_wallet_are_hidden_beside_and_below_their_sentence(
    form: str, count: int
) -> None:
    words = [
        f"{one}{two}"
        for one in ("ba", "le", "mi", "ro", "su")
        for two in ("nar", "tol", "vek", "dim", "pes")
    ]
    drawn = random.Random(count).sample(words, count)  # noqa: S311 - as above
    numbered = " ".join(f"{number}. {word}" for number, word in enumerate(drawn, 1))
    listed = "\n".join(f"{number}. {word}" for number, word in enumerate(drawn, 1))
    for phrase in (" ".join(drawn), numbered, listed):
        assert not any(word in redact(form.format(phrase)) for word in drawn[1:])


def test_a_reference_with_a_message_stays() -> None:
    line = "ORDERS_DB_PASSWORD: ${ORDERS_DB_PASSWORD:?has to be set}"
    assert redact(line) == line


def test_recovery_codes_below_the_name_of_their_file_are_hidden() -> None:
    codes = ["9ab3c-44e0d", "c07de-81b2f", "55a1e-0dc9b"]
    shown = redact("service-recovery-codes.txt\n" + "\n".join(codes) + "\n")
    assert not any(code in shown for code in codes)


def test_a_certificate_below_a_private_key_stays() -> None:
    draw = random.Random(6)  # noqa: S311 - as above
    lines = [b64encode(draw.randbytes(48)).decode() for _ in range(24)]
    key = ["-----BEGIN PRIVATE KEY-----", *lines[:12], "c2hvcnQ=", "-----END PRIVATE KEY-----"]
    certificate = ["-----BEGIN CERTIFICATE-----", *lines[12:], "-----END CERTIFICATE-----"]
    shown = redact("\n".join(key + certificate))
    assert shown == "\n".join(("[REDACTED:private-key]", *certificate))


def test_a_sealed_value_and_the_key_that_opens_it_are_told_apart() -> None:
    sealed = urlsafe_b64encode(b"\x02\x00" + random.Random(5).randbytes(540)).decode()  # noqa: S311 - as above
    sealed = sealed.replace("-", "+").replace("_", "/").rstrip("=")
    assert redact(f"    password: {sealed}") == f"    password: {sealed}"


# end of module
