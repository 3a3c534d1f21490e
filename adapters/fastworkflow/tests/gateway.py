"""A gateway as Tauflow has it, as far as the adapter sees it: it answers calls, and repeated ones from what it keeps."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

opener = build_opener(ProxyHandler({}))


def post(url, body, timeout=60):
    """(status, body)"""
    try:
        with opener.open(Request(url, json.dumps(body).encode()), timeout=timeout) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


class Gateway:
    """Plays one episode against an agent, walks it through again where it has lost it, and counts what is paid."""

    def __init__(self, model, tools, before_call=None):
        """model(messages) -> text; tools(name, arguments) -> observation; before_call(number): each call, also repeats."""
        self.model, self.tools, self.before_call = model, tools, before_call
        self.paid, self.steps, self.asked, self.roles = [], [], 0, []
        self._models, self._lock = {}, threading.Lock()
        self._position, self._request = 0, 0
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                token = self.path.split("/")[1]
                with gateway._lock:
                    gateway.asked += 1
                    if gateway.before_call is not None:
                        gateway.before_call(gateway.asked)
                    status, reply = gateway._answer(token, self.path, body, self.headers)
                data = json.dumps(reply).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except ConnectionError:
                    pass

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, token, path, body, headers):
        if token != str(self._attempt):
            return 409, {"error": "stale", "message": "another attempt is under way"}
        if path.endswith("/tools"):
            known = self._known_steps
            if self._position < len(known):
                name, arguments, observation = known[self._position]
                if (name, arguments) != (body["name"], body["arguments"]):
                    return 409, {"error": "diverged", "message": f"{body} instead of {known[self._position]}"}
            else:
                observation = self.tools(body["name"], body["arguments"])
                if isinstance(observation, int):
                    return observation, {"error": "no"}
                known.append((body["name"], body["arguments"], observation))
                self.steps.append((body["name"], body["arguments"]))
            self._position += 1
            return 200, {"observation": observation, "done": observation == "done"}
        key = json.dumps(body, sort_keys=True)
        if key not in self._models:
            self.paid.append(key)
            self.roles.append(headers.get("X-Tauflow-Role"))
            self._models[key] = self.model(body["messages"])
        text = self._models[key]
        if isinstance(text, int):
            return text, {"error": {"message": "no"}}
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": "x", "object": "chat.completion", "created": 0, "model": body["model"]}
        return 200, {**reply, "choices": [choice], "usage": usage}

    _attempt = 0

    def play(self, agent_url, said, episode="e1", tries=8):
        """The agent's answers to the user's messages."""
        answers, steps_of = [], {}
        number, attempts = 1, 0
        while number <= len(said):
            self._attempt += 1
            self._known_steps = steps_of.setdefault(number, [])
            self._position = 0
            base = f"{self.url}/{self._attempt}"
            request = {
                **{"protocol": "1", "episode": episode, "turn": number, "request": number, "attempt": 1 + attempts},
                "messages": [{"role": "user", "content": said[number - 1]}],
                **{"conversation": [], "policy": "", "tools": [], "idempotency_key": f"{episode}/{number}"},
                **{"tools_url": f"{base}/tools", "model_url": f"{base}/openai/v1", "anthropic_url": f"{base}/anthropic"},
            }
            try:
                status, answer = post(agent_url, request)
            except OSError:
                status, answer = 503, {}
            if status == 200:
                if number <= len(answers):
                    assert answers[number - 1] == answer, (answers[number - 1], answer)
                else:
                    answers.append(answer)
                if "message" not in answer:
                    return answers
                number, attempts = number + 1, 0
            elif status == 404:
                number = 1
            else:
                attempts += 1
                if attempts == tries or status not in (429, 503):
                    return [*answers, (status, answer)]
        return answers
