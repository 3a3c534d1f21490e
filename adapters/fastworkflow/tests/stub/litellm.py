import json
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

provider_list = ["openai", "mistral"]


class APIError(Exception):
    def __init__(self, status_code):
        super().__init__(f"status {status_code}")
        self.status_code = status_code


def completion(model, messages, api_base, extra_headers, **_):
    body = json.dumps({"model": model.split("/", 1)[1], "messages": messages}).encode()
    try:
        with build_opener(ProxyHandler({})).open(Request(f"{api_base}/chat/completions", body, extra_headers)) as reply:
            return json.load(reply)["choices"][0]["message"]["content"]
    except HTTPError as error:
        raise APIError(error.code) from error
