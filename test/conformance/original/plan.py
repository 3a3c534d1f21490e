"""Plans commands with the original, one child process each: reads a JSON list of texts, prints a JSON list of outcomes.

Each outcome is {"plan": [name, arguments]}, {"text": what FastWorkflow answers without executing}, {"model": role} or
{"intent": true} where an intent model would decide.
"""

import json
import os
import sys
import tempfile

from tauflow_fastworkflow import package
from tauflow_fastworkflow.episode import arguments, open_session
from tauflow_fastworkflow.settings import Settings
from tauflow_fastworkflow.without_models import IntentModelNeeded


class Planned(BaseException):
    pass


class ModelNeeded(BaseException):
    pass


class Environment:
    def step(self, name, parameters):
        raise Planned([name.split("/")[-1], arguments(parameters)])


def no_model(*_, extra_headers=None, **__):
    raise ModelNeeded((extra_headers or {}).get("X-Tauflow-Role", "agent"))


def outcome(session, text):
    import fastworkflow.workflow_agent

    try:
        return {"text": fastworkflow.workflow_agent._execute_workflow_query(text, session)}
    except Planned as planned:
        return {"plan": planned.args[0]}
    except ModelNeeded as needed:
        return {"model": needed.args[0]}
    except IntentModelNeeded:
        return {"intent": True}
    except Exception as error:
        return {"text": f"{type(error).__name__}: {error}"}


def in_child(session, text):
    """A text leaves nothing behind for the next."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(outcome(session, text)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.wait()
    return json.loads(answer)


def main():
    texts = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        sys.argv[1:] = ["", folder]
        package.load(Settings(workflow="retail", without_models=True))
        import litellm

        litellm.completion = no_model
        session = open_session(Environment(), os.path.join(folder, "session"))
        session._initialize_agent_functionality()
        session.push_active_workflow(session._app_workflow)
        print(json.dumps([in_child(session, text) for text in texts]))


if __name__ == "__main__":
    main()
