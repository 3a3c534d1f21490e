"""Episodes: the environment of each, which is made again from the calls before where it is not in memory."""

import hashlib
import json
from collections import OrderedDict
from typing import Any

from .domains import Domain, key_of, open_domain
from .hashes import Table
from .package import repeatable_ids
from .protocol import Call, Json, Request

#: Episodes that a process keeps, and characters of their data, of which each takes some 4 bytes of memory. The calls
#: before make another one again.
MOST_EPISODES = 24
MOST_DATA = 70_000_000

#: Name and observation of the tool with which an agent ends an episode in solo mode.
SOLO_STOP = "done"
SOLO_STOPPED = "###STOP###"


class Episode:
    """The environment of a task after calls."""

    def __init__(self, domain: Domain, task: Any) -> None:
        self.data_size = domain.data_size
        self._domain = domain
        self._task = task
        self.environment = domain.build(task)
        initial = task.initial_state
        self.environment.set_state(
            initialization_data=initial and initial.initialization_data,
            initialization_actions=initial and initial.initialization_actions,
            message_history=(initial and initial.message_history) or [],
        )
        self.state = self._hash_state()
        #: Calls that may have changed the state.
        self.calls: tuple[Call, ...] = ()
        #: The last request, as (key, calls before, call), and its answer.
        self.last: tuple[tuple[str, tuple[Call, ...], Call], Json] | None = None

    def make(self, call: Call) -> Json:
        """Makes a call and returns the answer to it."""
        if self._domain.is_solo and call.name == SOLO_STOP and call.requestor == "assistant":
            return self._answer(SOLO_STOPPED, is_done=True)
        from tau2.data_model.message import ToolCall

        arguments = read_arguments(call.arguments)
        if arguments is None:
            return self._answer("Error: the arguments are not a JSON object", is_error=True)
        may_change = self._may_change(call)
        made = ToolCall(id="call", name=call.name, arguments=arguments, requestor=call.requestor)
        Table.is_only_read = not may_change
        try:
            with repeatable_ids(self._seed(call)):
                response = self.environment.get_response(made)
            observation, is_error = response.content, response.error
        except (ValueError, TypeError, RecursionError) as error:  # a result that is no JSON
            observation, is_error = f"Error: {error}", True
        finally:
            Table.is_only_read = False
        if may_change:
            self.calls += (call,)
            self.state = self._hash_state()
        return self._answer(observation, is_error=is_error, is_changed=may_change)

    def _answer(
        self, observation: str, *, is_error: bool = False, is_changed: bool = False, is_done: bool = False
    ) -> Json:
        return {
            "observation": observation,
            "error": is_error,
            "changed": is_changed,
            "done": is_done,
            "state": self.state,
        }

    def _may_change(self, call: Call) -> bool:
        """False for a tool that tau2 leaves out where it plays a conversation again, and for a tool that there is not."""
        own, users = self.environment.tools, self.environment.user_tools
        for tools in (users,) if call.requestor == "user" else (users, own) if self._domain.is_solo else (own,):
            if tools is not None and tools.has_tool(call.name):
                return bool(getattr(getattr(tools, call.name, None), "__mutates_state__", True))
        return False

    def _seed(self, call: Call) -> str:
        content = [self._task.id, *(vars(call) for call in (*self.calls, call))]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def _hash_state(self) -> Json:
        own, users = self.environment.tools, self.environment.user_tools
        agent = self.environment.get_db_hash()
        is_same = own is not None and users is not None and own.db is users.db
        return {"agent": agent, "user": agent if is_same else self.environment.get_user_db_hash()}

    def end(self) -> None:
        """Removes the files of a shell, where the environment has one."""
        sandbox = getattr(self.environment.tools, "_sandbox", None)
        if sandbox is not None:
            sandbox.cleanup()


def read_arguments(text: str) -> Json | None:
    """Returns a call's arguments; None if the text is not a JSON object."""
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return arguments if isinstance(arguments, dict) else None


class Episodes:
    """The episodes of a process, least recently used first."""

    def __init__(self) -> None:
        self._episodes: OrderedDict[tuple[str, ...], Episode] = OrderedDict()

    def start(self, request: Request) -> Episode:
        """Returns an episode before its first call."""
        return self._put(request, self._new(request))

    def call(self, request: Request) -> Json:
        """Makes the request's call after the calls before it, and answers the same request the same."""
        assert request.call is not None
        asked = (request.key, request.calls, request.call)
        episode = self._episodes.get(name_of(request))
        if episode is not None and episode.last is not None and episode.last[0] == asked:
            self._episodes.move_to_end(name_of(request))
            return episode.last[1]
        if episode is None or request.calls[: len(episode.calls)] != episode.calls:
            episode = self._put(request, self._new(request))
        for call in request.calls[len(episode.calls) :]:
            episode.make(call)
        answer = episode.make(request.call)
        episode.last = (asked, answer)
        return answer

    def _new(self, request: Request) -> Episode:
        domain = open_domain(*key_of(request.domain, request.options))
        return Episode(domain, domain.task(request.task))

    def _put(self, request: Request, episode: Episode) -> Episode:
        name = name_of(request)
        if name in self._episodes:
            self._episodes.pop(name).end()
        self._episodes[name] = episode
        while len(self._episodes) > 1 and self._is_full():
            self._episodes.popitem(last=False)[1].end()
        return episode

    def _is_full(self) -> bool:
        data_size = sum(episode.data_size for episode in self._episodes.values())
        return len(self._episodes) > MOST_EPISODES or data_size > MOST_DATA


def name_of(request: Request) -> tuple[str, ...]:
    return (*key_of(request.domain, request.options), request.task, request.episode)
