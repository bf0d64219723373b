"""One server of `ampere serve` for all tests of a file, on a store with a simulated device."""

import http.client
import json
import os
import pathlib
import re
import subprocess
import urllib.parse

import jsonschema
import pytest

PROGRAM = os.environ["AMPERE_PROGRAM"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Server:
    """A running server. Every JSON answer is held against its own description in /openapi.json."""

    def __init__(self, store, *options):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--store", store, *options],
            stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"listening on http://([0-9.]+):([0-9]+)", line)
        assert found, line
        self.host, self.port = found.group(1), int(found.group(2))
        self.token = None
        self.described = self.raw("GET", "/openapi.json").json()

    def stop(self):
        self.process.terminate()
        rest = self.process.stderr.read()
        return self.process.wait(30), rest

    def raw(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        connection.close()
        return answer

    def ask(self, method, path, body=None):
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        answer = self.raw(method, path, data)
        self.check(method, path, answer)
        return answer

    def post(self, path, body):
        return self.ask("POST", path, body)

    def get(self, path):
        return self.ask("GET", path)

    def described_path(self, path):
        path = urllib.parse.urlsplit(path).path
        if path in self.described["paths"]:
            return path
        for known in self.described["paths"]:
            pattern = re.escape(known).replace(re.escape("{id}"), "[^/]+")
            if re.fullmatch(pattern, path):
                return known
        return None

    def check(self, method, path, answer):
        kind = answer.headers["Content-Type"].split(";")[0]
        if kind == "application/problem+json":
            schema = {"$ref": "#/components/schemas/Problem"}
            assert answer.json()["status"] == answer.status
        else:
            operation = self.described["paths"][self.described_path(path)][method.lower()]
            content = operation["responses"][str(answer.status)]["content"]
            assert kind in content, f"{kind} is not in the description of {path}"
            schema = content[kind]["schema"]
        if kind.endswith("json"):
            jsonschema.Draft202012Validator(
                {**schema, "components": self.described["components"]}).validate(answer.json())


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    url = f"sqlite:{folder}/ampere.db"
    for rig in ("sim:server", "sim:xavier"):
        subprocess.run([PROGRAM, "profile", "cnn5", "--rig", rig, "--store", url], check=True,
                       capture_output=True)
    return url


@pytest.fixture(scope="session")
def server(store):
    running = Server(store)
    yield running
    status, rest = running.stop()
    assert (status, rest) == (0, ""), "a server that is told to stop ends in peace"
