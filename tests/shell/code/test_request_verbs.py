"""A verb that a function of Node is given for its request counts as one that is written in it."""

# ruff: noqa: E501 - texts of files
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

FAR, HERE = "https://api.example.com", "http://localhost:3000"
PROGRAMS = {
    "default get": "async function request(path, method = 'GET') { return fetch(BASE + path, { method }); }\nrequest('/users/1', 'DELETE');",
    "arrow": "const request = async (method, path, body) => { return fetch(`${BASE}${path}`, { method: method, body }); }\nrequest('DELETE', '/users/1');",
    "arrow expr": "const send = (path, method) => fetch(`${BASE}${path}`, { method, headers: { a: 1 } });\nsend('/a', 'POST');",
    "options spread": "async function api(path, options = {}) {\n  const res = await fetch(`${BASE}${path}`, { headers: { a: 'b' }, ...options });\n  return res.json();\n}\napi(`/users/${1}`, { method: 'DELETE' });",
    "options direct": "function api(path, init) { return fetch(BASE + path, init); }\napi('/a', { method: 'PUT', body: '{}' });",
    "destructured": "async function call({ path, method = 'GET' }) { return fetch(`${BASE}${path}`, { method }); }\ncall({ path: '/a', method: 'DELETE' });",
    "opts": "async function f(id) { const opts = { method: 'DELETE', headers: { x: 1 } }; await fetch(`${BASE}/api/${id}`, opts); }\nf(1);",
    "opts set": "async function f(id, method) { const opts = { headers: {} };\n opts.method = method;\n await fetch(`${BASE}/api/${id}`, opts); }\nf(1, 'DELETE');",
    "class": "class Client {\n  async request(method, path) {\n    return fetch(`${BASE}${path}`, { method });\n  }\n  remove(id) { return this.request('DELETE', `/users/${id}`); }\n}\nnew Client().remove(1);",
    "private": "class Client {\n  async #send(method, path) {\n    return fetch(`${BASE}${path}`, { method });\n  }\n  remove(id) { return this.#send('DELETE', `/users/${id}`); }\n}\nnew Client().remove(1);",
    "axios": "const axios = require('axios');\nconst call = (method, path) => axios({ method, url: `${BASE}${path}` });\ncall('delete', '/users/1');",
    "axios.request": "const axios = require('axios');\nfunction call(method, path) { return axios.request({ method, url: `${BASE}${path}` }); }\ncall('DELETE', '/users/1');",
    "default delete": "function drop(path, method = 'DELETE') { return fetch(BASE + path, { method }); }\ndrop('/a');",
    "upper": "function call(path, verb) { return fetch(BASE + path, { method: verb.toUpperCase() }); }\ncall('/a', 'delete');",
    "wrapper": "const request = (m, p) => fetch(BASE + p, { method: m });\nconst api = { del: (p) => request('DELETE', p) };\napi.del('/users/1');",
    "function expression": "const request = async function (method, path) {\n  return await fetch(BASE + path, { method });\n};\nrequest('DELETE', '/x');",
    "multi line": "async function request(\n  path,\n  method,\n) {\n  const url = `${BASE}${path}`;\n  return fetch(url, {\n    method,\n    headers: { Accept: 'a' },\n  });\n}\nrequest(\n  `/a/${encodeURIComponent('x')}`,\n  'DELETE',\n);",
    "post too": "async function request(method, path) { return fetch(BASE + path, { method }); }\nrequest('GET', '/a'); request('POST', '/a');",
}
SENDS = "async function request(path, method = 'GET') { return fetch(BASE + path, { method }); }\n"
SILENT = {
    "no verb": "request('/users/1');",
    "a verb that reads": "request('/users/1', 'HEAD');",
    "a word of another function": "log('/a', 'DELETE');\nfunction log(a, b) { console.log(a, b); }",
    "a word in another place": "request('DELETE');",
    "a word in a list": "const verbs = ['DELETE'];\nrequest('/a');",
    "options without a verb": "api('/a', { headers: {} });\nasync function api(path, options) { return fetch(BASE + path, { ...options }); }",
}
MODULES = {
    "require": {
        "a.js": "const { request } = require('./api');\nrequest('/users/1', 'DELETE');\n",
        "api.js": f"const BASE = '{FAR}';\n{SENDS}module.exports = {{ request }};\n",
    },
    "import": {
        "a.js": "import { request } from './api.js';\nawait request('DELETE', '/users/1');\n",
        "api.js": f"const BASE = '{FAR}';\nexport const request = async (method, path) => fetch(`${{BASE}}${{path}}`, {{ method }});\n",
    },
}


def effect(**files):
    files = {name.replace("_", "."): text for name, text in files.items()}
    return judged("node a.js", files, committed=tuple(files)).effect


@for_each("code", PROGRAMS.values(), PROGRAMS)
def test_a_verb_that_a_function_is_given_counts(code):
    assert effect(a_js=f"const BASE = '{FAR}';\n{code}\n") == "junction"
    assert effect(a_js=f"const BASE = '{HERE}';\n{code}\n") == "allow"


@for_each("code", SILENT.values(), SILENT)
def test_a_word_that_is_no_verb_of_the_request_does_not_count(code):
    assert effect(a_js=f"const BASE = '{FAR}';\n{SENDS}{code}\n") == "allow"


@for_each("files", MODULES.values(), MODULES)
def test_a_verb_that_another_file_gives_counts(files):
    assert judged("node a.js", files, committed=tuple(files)).effect == "junction"
    near = {name: text.replace(FAR, HERE) for name, text in files.items()}
    assert judged("node a.js", near, committed=tuple(near)).effect == "allow"


@for_each("address", ["process.env.API || 'http://localhost:3000'", "''", "require('./conf').base"])
def test_an_address_that_is_not_known_to_be_elsewhere_does_not_count(address):
    assert (
        effect(a_js=f"const BASE = {address};\n{SENDS}request('/users/1', 'DELETE');\n") == "allow"
    )


# end of module
