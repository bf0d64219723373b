"""What the API answers, through the real program."""

import base64
import gzip
import json
import re
import subprocess
import threading

import pytest

from conftest import PROGRAM, SOURCE, Server

CNN5 = {"zoo": "cnn5:8,16,32,64"}


def onnx_file():
    folder = SOURCE / "tests" / "data" / "onnx" / "networks"
    return gzip.decompress((folder / "alexnet.legacy.train.onnx.gz").read_bytes())


def estimate_of_command_line(store, *arguments):
    done = subprocess.run([PROGRAM, "estimate", *arguments, "--store", store, "--json"],
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_an_estimate_is_that_of_the_command_line(server, store):
    answer = server.post("/v1/estimate", {"network": CNN5, "workload": {"iterations": 2000}})
    assert answer.status == 200
    assert answer.json() == estimate_of_command_line(store, "cnn5:8,16,32,64", "--iterations", "2000")


def test_setup_workload_profile_and_terms_are_passed_on(server, store):
    answer = server.post("/v1/estimate", {
        "network": {"zoo": "resnet50:size=224"}, "device": "h200", "confidence": 0.5,
        "setup": {"batch": 64, "precision": "bf16"}, "workload": {"epochs": 2, "samples": 1000},
        "battery": "50Wh", "carbon_g_per_kwh": 400, "price_per_kwh": 0.3})
    assert answer.json() == estimate_of_command_line(
        store, "resnet50:size=224", "--device", "h200", "--batch", "64", "--precision", "bf16",
        "--epochs", "2", "--samples", "1000", "--confidence", "0.5", "--battery", "50Wh",
        "--carbon", "400", "--price", "0.3")


def test_widths_beside_a_network_are_those_of_its_name(server):
    by_name = server.post("/v1/estimate", {"network": CNN5}).json()
    by_list = server.post("/v1/estimate", {"network": {"zoo": "cnn5", "widths": [8, 16, 32, 64]}}).json()
    assert by_list == by_name


def test_many_at_once_share_what_stands_around_them(server):
    answer = server.post("/v1/estimate", {
        "network": CNN5,
        "requests": [{}, {"network": {"zoo": "cnn5"}}, {"network": {"zoo": "nosuch"}}, {"methd": "dual"}]})
    first, second, third, fourth = answer.json()["estimates"]
    assert first == server.post("/v1/estimate", {"network": CNN5}).json()
    assert second["energy_j"]["mean"] > first["energy_j"]["mean"]
    assert third["error"]["status"] == 404 and "nosuch" in third["error"]["detail"]
    assert fourth["error"]["status"] == 400 and "did you mean 'method'" in fourth["error"]["detail"]


def test_a_network_is_compared_on_all_devices(server):
    comparisons = server.post("/v1/compare", {"network": CNN5}).json()["comparisons"]
    by_device = {c["profile"]["device"]["name"]: c for c in comparisons}
    assert {"simulated GPU server", "NVIDIA H200"} <= set(by_device)
    for comparison in comparisons:
        assert (comparison["estimate"] is None) != (comparison["error"] is None)
        if comparison["estimate"]:
            assert comparison["estimate"]["source"] == comparison["profile"]["source"]
    only = server.post("/v1/compare", {"network": CNN5, "profiles": ["1"]}).json()["comparisons"]
    assert [c["profile"]["id"] for c in only] == ["1"]


def test_lists_say_what_there_is(server):
    assert "cnn5" in [m["name"] for m in server.get("/v1/models").json()["models"]]
    assert "dual" in [m["name"] for m in server.get("/v1/methods").json()["methods"]]
    profiles = server.get("/v1/profiles").json()["profiles"]
    assert [p["shipped"] for p in profiles].count(True) >= 1
    mine = [p for p in profiles if p["id"] == "1"][0]
    assert mine["error"]["networks"] > 0 and 0 <= mine["age_s"] < 3600 and mine["source"] == "simulated"
    assert server.get("/v1/profiles/1").json()["id"] == "1"
    assert server.get("/v1/profiles/99").status == 404
    assert server.get("/v1/evaluations").json() == {"evaluations": []}
    assert server.get("/v1/jobs").status == 404
    assert server.get("/healthz").status == server.get("/readyz").status == 200


def test_checks_become_drift_and_a_metric(store, tmp_path):
    url = f"sqlite:{tmp_path}/checked.db"
    for arguments in (["profile", "lenet5"], ["run", "lenet5:4,8,60,50", "--no-learning"]):
        subprocess.run([PROGRAM, *arguments, "--rig", "sim:server", "--store", url], check=True,
                       capture_output=True)
    server = Server(url)
    drift = server.get("/v1/profiles/1").json()["drift"]
    assert drift["checks"] == 1 and 0.5 < drift["ratio"] < 2
    metric = [line for line in server.get("/metrics").body.decode().splitlines()
              if line.startswith("ampere_estimate_error_ratio{")]
    assert float(metric[0].split()[-1]) == pytest.approx(drift["ratio"] - 1)
    assert 'source="simulated"' in metric[0]
    server.stop()


def test_uploads_are_networks(server):
    kept = server.ask("POST", "/v1/uploads?name=my%20net.onnx", onnx_file())
    assert kept.status == 201 and kept.json()["name"] == "my net.onnx"
    widths = server.post("/v1/widths", {"network": {"upload": kept.json()["upload"]}}).json()
    assert widths["parameters"] == kept.json()["parameters"] and widths["widths"]
    answer = server.post("/v1/estimate", {"network": {"upload": kept.json()["upload"]}, "device": "h200"})
    assert answer.status == 200 and answer.json()["model"] == "my net"


def test_models_and_programs_are_sent_whole(server, tmp_path):
    shown = subprocess.run([PROGRAM, "show", "lenet5", "--json"], check=True, capture_output=True)
    model = server.post("/v1/estimate", {"network": {"model": json.loads(shown.stdout)}, "device": "h200"})
    assert model.status == 200
    path = tmp_path / "x.program"
    subprocess.run([PROGRAM, "trace", "lenet5", "--rig", "sim:server", "--output", str(path)],
                   check=True, capture_output=True)
    kept = server.ask("POST", "/v1/uploads?name=x.program", path.read_bytes()).json()
    assert kept["kind"] == "program"
    program = {"network": {"upload": kept["upload"]}, "device": "h200"}
    assert server.post("/v1/estimate", program).status == 200
    refused = server.post("/v1/estimate", {**program, "setup": {"batch": 3}})
    assert refused.status == 400 and "setup of its own" in refused.json()["detail"]


@pytest.mark.parametrize("body, status, words", [
    ({}, 400, "network"),
    ({"network": {}}, 400, "exactly one of zoo, model, program and upload"),
    ({"network": {"zoo": "cnn5", "upload": "x"}}, 400, "exactly one"),
    ({"network": {"zoo": "cn5"}}, 404, "did you mean 'cnn5'"),
    ({"network": {"zoo": "/etc/passwd"}}, 404, "/etc/passwd"),
    ({"network": {"zoo": "../../x.onnx"}}, 404, "x.onnx"),
    ({"network": {"zoo": "cnn5:1000000000,16,32,64"}}, 400, "1000000000"),
    ({"network": {"zoo": "cnn5", "widths": [10**9, 16, 32, 64]}}, 400, "widths"),
    ({"network": {"zoo": "cnn5", "widths": [1]}}, 400, "widths"),
    ({"network": {"zoo": "resnet50:size=1000000000"}}, 400, "size"),
    ({"network": {"upload": "0" * 32}}, 404, "send it again"),
    ({"network": {"model": {"layers": 3}}}, 400, "model"),
    ({"network": {"program": {"format": "ampere-program"}}}, 400, "program"),
    ({"network": CNN5, "setup": {"batch": 0}}, 400, "batch"),
    ({"network": CNN5, "setup": {"batch": 7}}, 404, "no profile for batch 7"),
    ({"network": CNN5, "setup": {"optimiser": "sgd"}}, 400, "did you mean 'optimizer'"),
    ({"network": CNN5, "setup": {"precision": "fp8"}}, 400, "precision"),
    ({"network": CNN5, "workload": {"iterations": 10**15}}, 400, "iterations"),
    ({"network": CNN5, "workload": {"epochs": 3}}, 400, "samples"),
    ({"network": CNN5, "method": "dua"}, 400, "did you mean 'dual'"),
    ({"network": CNN5, "confidence": 1}, 400, "confidence"),
    ({"network": CNN5, "battery": "45kg"}, 400, "4500mAh@3.85V"),
    ({"network": CNN5, "profile": "1", "device": "h200"}, 400, "only one"),
    ({"network": CNN5, "mode": "dreaming"}, 400, "mode"),
    ({"network": CNN5, "requests": []}, 400, "requests"),
    ({"network": CNN5, "requests": [{}] * 1001}, 400, "1001"),
    ({"network": CNN5, "requests": [3]}, 200, ""),
])
def test_bad_requests_name_the_field(server, body, status, words):
    answer = server.post("/v1/estimate", body)
    assert answer.status == status, answer.body
    assert words in answer.body.decode()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{\"network\": " * 2000, b"[" * 100000])
def test_what_is_no_object_is_refused(server, body):
    assert server.ask("POST", "/v1/estimate", body).status == 400


@pytest.mark.parametrize("content", [b"", b"no network", b"\x08\x07" * 500, b"{\"layers\": []}", b"\x1f\x8b\x08\x00rest"])
def test_a_broken_upload_names_the_file(server, content):
    answer = server.ask("POST", "/v1/uploads?name=broken.onnx", content)
    assert answer.status == 400 and "broken.onnx" in answer.json()["detail"]


def test_an_upload_opens_no_other_file(server):
    """Weights in a file beside the network, wherever it is said to be, are never looked for."""
    network = (SOURCE / "tests" / "data" / "onnx" / "small" / "external.legacy.onnx").read_bytes()
    at = network.index(b"location")
    length = network[at + 9]
    place = network[at + 10:at + 10 + length]
    outside = b"/etc/passwd/../passwd/../passwd/../passwd/../passwd"[:length].ljust(length, b"d")
    plain, hostile = (server.ask("POST", "/v1/uploads?name=x.onnx", content)
                      for content in (network, network.replace(place, outside)))
    assert plain.status == hostile.status == 201
    assert plain.json()["parameters"] == hostile.json()["parameters"]


@pytest.mark.parametrize("method, path, status", [
    ("GET", "/v1/estimate", 405), ("PUT", "/v1/profiles", 405), ("GET", "/v1", 404),
    ("GET", "/v1/profiles/", 404), ("GET", "/v1/profiles/1/2", 404), ("GET", "/v1/prune/p9", 404),
    ("GET", "/../etc/passwd", 404), ("GET", "/%2e%2e/etc/passwd", 404), ("GET", "/app.js/../api", 404)])
def test_other_paths_and_methods_are_refused(server, method, path, status):
    answer = server.raw(method, path)
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    if status == 405:
        assert answer.headers["Allow"]


def test_every_answer_is_guarded(server):
    for path in ("/", "/v1/models", "/nosuch", "/app.js"):
        headers = server.raw("GET", path).headers
        assert "unsafe-inline" not in headers["Content-Security-Policy"]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def events_of(server, path):
    text = server.raw("GET", path).body.decode()
    parts = [part.splitlines() for part in text.split("\n\n") if part.startswith("event:")]
    return [(lines[0][7:], json.loads(lines[1][6:])) for lines in parts]


def test_a_network_is_pruned_to_its_budget(server):
    begun = server.post("/v1/prune", {"network": {"zoo": "cnn5"}, "budget": "50%", "profile": "2"})
    assert begun.status == 202
    events = events_of(server, begun.json()["events"])
    name, result = events[-1]
    assert name == "result" and all(event == "progress" for event, _ in events[:-1])
    assert result["pruned"]["upper_j"] <= result["budget_j"] < result["original"]["energy_j"]
    assert result["source"] == "simulated"
    state = server.get(f"/v1/prune/{begun.json()['prune']}").json()
    assert state["state"] == "done" and state["result"] == result
    widths = [width["value"] for width in result["pruned"]["widths"]]
    again = server.post("/v1/estimate", {"network": {"zoo": "cnn5", "widths": widths}, "profile": "2"}).json()
    assert again["energy_j"]["mean"] == pytest.approx(result["pruned"]["energy_j"])


def test_a_search_can_be_cancelled_and_too_many_are_refused(store):
    server = Server(store, "--prunings", "1")
    long = {"network": {"zoo": "cnn5"}, "budget": "50%", "profile": "2", "networks": 1000000}
    begun = server.post("/v1/prune", long).json()
    busy = server.post("/v1/prune", long)
    assert busy.status == 503 and busy.headers["Retry-After"]
    followed = []
    follower = threading.Thread(target=lambda: followed.extend(events_of(server, begun["events"])))
    follower.start()
    assert server.ask("DELETE", f"/v1/prune/{begun['prune']}").status == 200
    follower.join(60)
    assert followed[-1][0] == "cancelled"
    assert server.get(f"/v1/prune/{begun['prune']}").json()["state"] == "cancelled"
    server.stop()


@pytest.mark.parametrize("change, status, words", [
    ({"budget": "half"}, 400, "budget"), ({"budget": "2kJ total"}, 400, "iterations"),
    ({"network": {"zoo": "nosuch"}}, 404, "nosuch"), ({"setup": {"batch": 9}}, 404, "batch 9"),
    ({"networks": 10**9}, 400, "networks"), ({"buget": "3%"}, 400, "did you mean 'budget'")])
def test_a_bad_pruning_says_why(server, change, status, words):
    asked = {"network": {"zoo": "cnn5"}, "budget": "50%", **change}
    answer = server.post("/v1/prune", asked)
    if answer.status == 202:
        name, problem = events_of(server, answer.json()["events"])[-1]
        assert name == "failed"
    else:
        problem = answer.json()
    assert problem["status"] == status and words in problem["detail"]


def test_metrics_count_requests_and_energy(server):
    server.get("/v1/models")
    text = server.get("/metrics").body.decode()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(lines['ampere_requests_total{route="models",status="200"}']) >= 1
    assert lines["ampere_request_duration_seconds_count"] == \
        lines['ampere_request_duration_seconds_bucket{le="+Inf"}']
    assert any(name.startswith("ampere_energy_joules_total{") and 'source="modelled"' in name
               for name in lines)
    for line in text.splitlines():
        assert line.startswith("#") or "nosuch" not in line, "no label takes what a client sends"


def test_power_says_what_is_measured(server):
    meters = server.get("/v1/power").json()["meters"]
    assert any(meter["available"] for meter in meters)
    assert all(meter["available"] or meter["reason"] for meter in meters)


def test_a_token_is_needed_where_one_is_set(store, tmp_path):
    token = "0123456789abcdef0123456789abcdef"
    file = tmp_path / "token"
    file.write_text(token + "\n")
    file.chmod(0o600)
    server = Server(store, "--token-file", str(file))
    for path in ("/v1/models", "/metrics"):
        refused = server.raw("GET", path)
        assert refused.status == 401 and refused.json()["code"] == "permission"
        assert server.raw("GET", path, headers={"Authorization": "Bearer wrong"}).status == 401
    for path in ("/", "/healthz", "/readyz", "/openapi.json"):
        assert server.raw("GET", path).status == 200
    server.token = token
    assert server.get("/v1/models").status == 200
    assert server.stop() == (0, "")


@pytest.mark.parametrize("options, words", [
    (["--listen", "0.0.0.0:0"], "--token-file"), (["--listen", "nowhere"], "nowhere"),
    (["--listen", "127.0.0.1:99999"], "99999"), (["--token-file", "/nosuch"], "/nosuch"),
    (["--token-file", "/dev/null"], "openssl rand")])
def test_a_server_that_would_be_open_does_not_start(store, options, words):
    done = subprocess.run([PROGRAM, "serve", "--store", store, *options], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 2 and words in done.stderr


def test_a_port_that_is_taken_is_named(server, store):
    done = subprocess.run([PROGRAM, "serve", "--store", store, "--listen", f"127.0.0.1:{server.port}"],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and str(server.port) in done.stderr


def test_a_file_that_is_no_store_is_the_fault_of_the_server(tmp_path):
    (tmp_path / "broken.db").write_bytes(b"no store" * 1000)
    server = Server(f"sqlite:{tmp_path}/broken.db")
    not_ready = server.get("/readyz")
    assert not_ready.status == 503 and "broken.db" not in not_ready.body.decode()
    for path in ("/v1/profiles", "/v1/evaluations", "/v1/jobs"):
        assert server.get(path).status == 500
    answer = server.post("/v1/estimate", {"network": CNN5})
    assert answer.status == 500 and "not a store of ampere" in answer.json()["detail"]
    assert server.get("/metrics").status == server.get("/healthz").status == 200
    server.stop()


@pytest.mark.parametrize("name", ["none.db", "store.db"])
def test_a_store_without_jobs_is_not_named(tmp_path, name):
    subprocess.run([PROGRAM, "run", "lenet5", "--rig", "sim:ideal", "--store", f"sqlite:{tmp_path}/store.db"],
                   check=True, capture_output=True)
    server = Server(f"sqlite:{tmp_path}/{name}")
    answer = server.get("/v1/jobs")
    assert answer.status == 404 and answer.json()["detail"] == "the store of this server has no jobs of a fleet"
    server.stop()


def test_a_store_may_come_later_and_change(tmp_path):
    url = f"sqlite:{tmp_path}/later.db"
    first, second = Server(url), Server(url)
    assert first.get("/readyz").status == 200
    assert first.post("/v1/estimate", {"network": CNN5}).status == 404
    assert first.post("/v1/estimate", {"network": CNN5, "device": "h200"}).status == 200
    subprocess.run([PROGRAM, "profile", "cnn5", "--rig", "sim:server", "--store", url], check=True,
                   capture_output=True)
    for server in (first, second):
        for _ in range(100):
            if server.post("/v1/estimate", {"network": CNN5}).status == 200:
                break
        else:
            threading.Event().wait(1.1)
            assert server.post("/v1/estimate", {"network": CNN5}).status == 200
        server.stop()


def test_reports_are_pages_without_inline_scripts(server):
    page = server.raw("GET", "/v1/profiles/1/report")
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    text = page.body.decode()
    assert '<script src="/report.js">' in text and "<style>" not in text
    assert server.get("/v1/evaluations/report").status == 404


def test_lines_of_standard_input_are_answered_alike(server, store):
    requests = [
        {"id": 1, "method": "POST", "path": "/v1/estimate", "body": {"network": CNN5}},
        {"id": "two", "path": "/v1/models"},
        {"id": 3, "method": "POST", "path": "/v1/uploads?name=a.onnx",
         "body_base64": base64.b64encode(onnx_file()).decode()},
        {"id": 4, "method": "POST", "path": "/v1/prune",
         "body": {"network": {"zoo": "cnn5"}, "budget": "50%", "profile": "2"}},
        {"id": 5, "path": "/nosuch"},
        {"id": 6, "pth": "/v1/models"},
    ]
    process = subprocess.Popen([PROGRAM, "serve", "--stdio", "--store", store], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    answers = {}
    for request in requests:
        print(json.dumps(request), file=process.stdin, flush=True)
        answer = json.loads(process.stdout.readline())
        answers[answer["id"]] = answer
    print("no json", file=process.stdin, flush=True)
    broken = json.loads(process.stdout.readline())
    assert broken["id"] is None and broken["status"] == 400
    assert answers[1]["body"] == server.post("/v1/estimate", {"network": CNN5}).json()
    assert answers["two"]["body"] == server.get("/v1/models").json()
    assert answers[3]["status"] == 201 and answers[5]["status"] == 404
    assert answers[6]["status"] == 400 and "did you mean 'path'" in answers[6]["body"]["detail"]
    print(json.dumps({"id": 7, "path": answers[4]["body"]["events"]}), file=process.stdin, flush=True)
    names = []
    while True:
        line = json.loads(process.stdout.readline())
        assert line["id"] == 7
        if "event" not in line:
            break
        names.append(line["event"])
    assert names[-1] == "result" and line["status"] == 200
    process.stdin.close()
    assert process.wait(30) == 0


def test_the_examples_of_the_documentation_work(store):
    page = (SOURCE / "docs" / "serve.md").read_text()
    commands = re.search(r"```sh\n(.*?)```", page, re.S).group(1).strip().splitlines()
    assert len(commands) == 10
    server = Server(store)
    for command in commands:
        here = command.replace("127.0.0.1:8642", f"{server.host}:{server.port}")
        done = subprocess.run(here, shell=True, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and done.stdout, (command, done.stderr)
    server.stop()
