"""Clients of vendors, as programs of several languages name them."""

# ruff: noqa: E501 - programs
from __future__ import annotations

from tests.tables import for_each

from operators_edge.shell.code.interpreters import find_calls

MESSAGES = {
    "a mail": ("node", "import sg from '@sendgrid/mail';\nawait sg.sendMultiple({to: all})"),
    "by a class": (
        "node",
        "const {Resend} = require('resend'); const r = new Resend(k); r.emails.send(m)",
    ),
    "made": ("node", "import Mailgun from 'mailgun.js';\nmg.messages.create(domain, data)"),
    "a push": (
        "node",
        "import admin from 'firebase-admin';\nadmin.messaging().sendEachForMulticast(m)",
    ),
    "a push beside a function of the name": (
        "node",
        "import admin from 'firebase-admin';\nfunction send() {}\nrun(() => { admin.messaging().send(m) })",
    ),
    "to browsers": ("node", "import webpush from 'web-push';\nwebpush.sendNotification(s, 'x')"),
    "an SMS": ("node", "import { Vonage } from '@vonage/server-sdk';\nvonage.sms.send({to})"),
    "a chat": (
        "node",
        "import { WebClient } from '@slack/web-api';\nslack.chat.postMessage({channel})",
    ),
    "a bot": ("node", "import { Telegraf } from 'telegraf';\nbot.telegram.sendMessage(id, 'x')"),
    "ruby": (
        "ruby",
        "require 'postmark'\nclient = Postmark::ApiClient.new(t)\nclient.deliver_messages(list)",
    ),
    "php": ("php", "use Mailgun\\Mailgun; $mg->messages()->send($domain, $all);"),
    "php by a class": ("php", "$sg = new \\SendGrid($k); $sg->send($mail);"),
}
CHANGES = {
    "a record": "import Cloudflare from 'cloudflare'; const cf = new Cloudflare({}); cf.dns.records.delete(id)",
    "a payout": "const paypal = require('@paypal/payouts-sdk'); const c = new paypal.Client(e); c.create(r)",
}
NO_MESSAGES = {
    "an answer": "import { WebClient } from '@slack/web-api';\napp.get('/', (req, res) => res.send('x'))",
    "an own method": "import sg from '@sendgrid/mail';\nclass A { run() { this.send(x) } }",
    "an own function": "import sg from '@sendgrid/mail';\nfunction sendAll() {}\nsendAll()",
    "a function of another file": "import sg from '@sendgrid/mail';\nimport { sendAll } from './all';\nsendAll()",
    "a word": "const name = 'resend';\nlogger.send('x')",
    "an own file": "import { blocks } from './slack';\nprinter.send(blocks)",
    "a list": "import sg from '@sendgrid/mail';\nrows.push(x)",
    "a map": "import Cloudflare from 'cloudflare';\nconst seen = new Map(); seen.delete(id)",
    "reading": "import Cloudflare from 'cloudflare';\nconst cf = new Cloudflare({}); cf.dns.records.list()",
}


def words(program, code):
    option = "-r" if program == "php" else "-e"
    return [one.words for one in find_calls(program, (program, option, code), None)]


@for_each(("program", "code"), MESSAGES.values(), MESSAGES)
def test_a_client_that_sends_messages_is_a_mail(program, code):
    assert [one[0] for one in words(program, code)] == ["swaks"]


@for_each("code", CHANGES.values(), CHANGES)
def test_a_client_that_changes_something_is_a_request(code):
    assert [one[:3] for one in words("node", code)] == [("curl", "-X", "POST")]


@for_each("code", NO_MESSAGES.values(), NO_MESSAGES)
def test_what_sends_to_nobody_is_none(code):
    assert words("node", code) == []
