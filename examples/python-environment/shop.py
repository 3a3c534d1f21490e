"""An environment service that needs Python's standard library only: python3 shop.py [PORT]."""

import copy
import hashlib
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLICY = """You help the users of an online shop. Look an order up before you speak about it. A pending order can be
canceled, or sent to another address. Transfer the user to a person for everything else. Call one tool at a time."""
ORDERS = {
    "W1": {"email": "ana@example.com", "status": "pending", "total": 131.0, "address": "1 Oak Lane"},
    "W2": {"email": "ana@example.com", "status": "delivered", "total": 20.5, "address": "1 Oak Lane"},
    "W3": {"email": "ben@example.com", "status": "pending", "total": 48.0, "address": "9 Elm Street"},
}
SHOP = {"orders": ORDERS, "transfers": 0}


def find_orders(shop, email):
    return [number for number, order in shop["orders"].items() if order["email"] == email]


def get_order(shop, order):
    if order not in shop["orders"]:
        raise ValueError(f"there is no order {order}")
    return shop["orders"][order]


def change(shop, order, **changed):
    if get_order(shop, order)["status"] != "pending":
        raise ValueError(f"order {order} is not pending")
    shop["orders"][order].update(changed)
    return shop["orders"][order]


def cancel_order(shop, order):
    return change(shop, order, status="canceled")


def change_address(shop, order, address):
    return change(shop, order, address=address)


def transfer(shop):
    shop["transfers"] += 1
    return "transferred"


def schema(name, description, *parameters):
    fields = {parameter: {"type": "string"} for parameter in parameters}
    form = {"type": "object", "properties": fields, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": form}}


TOOLS = {tool.__name__: tool for tool in (find_orders, get_order, cancel_order, change_address, transfer)}
SCHEMAS = [
    schema("find_orders", "Find the orders of an email address.", "email"),
    schema("get_order", "Look an order up.", "order"),
    schema("cancel_order", "Cancel a pending order.", "order"),
    schema("change_address", "Send a pending order to another address.", "order", "address"),
    schema("transfer", "Transfer the user to a person, which ends the conversation."),
]


def task(name, instruction, *calls, outputs=()):
    actions = [{"requestor": "assistant", "name": tool, "arguments": json.dumps(given)} for tool, given in calls]
    return {"id": name, "instruction": instruction, "actions": actions, "outputs": list(outputs)}


TASKS = [
    task("cancel", "You are Ana. Cancel your order W1.", ("get_order", {"order": "W1"}), ("cancel_order", {"order": "W1"})),
    task("move", "You are Ben (ben@example.com). Your pending order should go to 5 Hill Road.",
         ("find_orders", {"email": "ben@example.com"}), ("change_address", {"order": "W3", "address": "5 Hill Road"})),
    task("total", "You are Ana. Ask for the total of W2.", ("get_order", {"order": "W2"}), outputs=["20.5"]),
    task("return", "You are Ana. You want to return W2.", ("get_order", {"order": "W2"}), ("transfer", {})),
]


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def run(shop, call):
    """Makes a call. Returns the observation, and whether the call has failed."""
    try:
        return json.dumps(TOOLS[call["name"]](shop, **json.loads(call["arguments"]))), False
    except Exception as error:  # an unknown tool, wrong arguments, or a refusal: the agent reads it
        return f"Error: {error!r}", True


def fold(calls):
    """Returns the state after the calls, so that nothing has to be kept between two requests."""
    shop = copy.deepcopy(SHOP)
    for call in calls:
        run(shop, call)
    return shop


def tasks(_):
    return {"digest": digest([SHOP, TASKS]), "splits": {"test": [each["id"] for each in TASKS]}, "tasks": TASKS}


def start(body):
    scenario = find_task(body)["instruction"]
    return {"policy": POLICY, "tools": SCHEMAS, "scenario": scenario, "state": {"agent": digest(SHOP)}}


def call(body):
    shop = fold(body["calls"])
    before = digest(shop)
    observation, failed = run(shop, body["call"])
    after = digest(shop)
    done = body["call"]["name"] == "transfer" and not failed
    return {"observation": observation, "error": failed, "changed": after != before, "done": done, "state": {"agent": after}}


def grade(body):
    wanted = find_task(body)
    said = " ".join(message.get("content") or "" for message in body["messages"] if message["role"] == "assistant")
    data = [{"met": digest(fold(body["calls"])) == digest(fold(wanted["actions"]))}]
    outputs = [{"wanted": text, "met": text in said} for text in wanted["outputs"]]
    parts = [{"kind": kind, "counts": True, "checks": checks} for kind, checks in (("data", data), ("outputs", outputs))]
    return {"reward": float(all(check["met"] for check in data + outputs)), "parts": parts}


def find_task(body):
    return next(task for task in TASKS if task["id"] == body["task"])


class Environment(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(200, {"name": "shop", "version": "1", "protocol": "1", "rules": "tau-bench", "domains": ["shop"]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            answers = {"tasks": tasks, "start": start, "call": call, "grade": grade}
            self.reply(200, answers[body["request"]](body))
        except (KeyError, StopIteration) as error:
            self.reply(400, {"error": {"type": "bad_request", "message": repr(error)}})

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
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), Environment)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
