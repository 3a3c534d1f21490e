"""An agent service that needs Python's standard library only: python3 agent.py [PORT]."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

MODEL = os.environ.get("MODEL", "gpt-5.4-mini")
opener = build_opener(ProxyHandler({}))  # the URLs of a turn are on this machine


def post(url, body):
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with opener.open(request) as response:
        return json.load(response)


def call_tool(turn, call):
    try:
        return post(turn["tools_url"], call["function"])["observation"]
    except HTTPError as error:  # shows the model what is wrong with the call
        return error.read().decode()


def answer(turn):
    messages = [{"role": "system", "content": turn["policy"]}] + turn["conversation"]
    while True:
        body = {"model": MODEL, "messages": messages, "tools": turn["tools"]}
        message = post(turn["model_url"] + "/chat/completions", body)["choices"][0]["message"]
        if not message.get("tool_calls"):
            return {"message": message["content"] or ""}
        messages.append(message)
        for call in message["tool_calls"]:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": call_tool(turn, call)})


class Agent(BaseHTTPRequestHandler):
    def handle(self):
        try:
            super().handle()
        except ConnectionError:  # the connection was closed, as after a call that ends the episode
            pass

    def do_GET(self):
        self.reply(200, {"name": "python-agent", "version": "1", "protocol": "1"})

    def do_POST(self):
        turn = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            self.reply(200, answer(turn))
        except HTTPError as error:  # passes the model's failure on: tauflow retries temporary ones
            self.reply(error.code, {"error": error.read().decode()})

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


ThreadingHTTPServer.request_queue_size = 1000  # many episodes at once
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), Agent)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
