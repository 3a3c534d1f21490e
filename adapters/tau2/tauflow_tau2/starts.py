"""What an episode begins with: policy, tools, the prompts of agent and user, and the opening words."""

from typing import Any

from .domains import Domain
from .episodes import Episode
from .protocol import Json


def describe_start(domain: Domain, task: Any, episode: Episode) -> Json:
    """Returns the answer to `start`. The prompts are those of tau2's own agent and user."""
    from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE
    from tau2.runner.build import build_agent, build_user

    environment = episode.environment
    # No model is called; the classes want a name.
    agent_name = "llm_agent_solo" if domain.is_solo else "llm_agent"
    agent = build_agent(agent_name, environment, llm="none", task=task, solo_mode=domain.is_solo)
    answer: Json = {
        "policy": environment.get_policy(),
        "tools": [tool.openai_schema for tool in agent.tools],
        "agent_prompt": agent.system_prompt,
        "state": episode.state,
    }
    if domain.is_solo:
        return {**answer, "first_message": task.ticket}
    user = build_user("user_simulator", environment, task, llm="none")
    history = (task.initial_state and task.initial_state.message_history) or []
    if history:
        before = transcript(history)
        answer["agent_prompt"] += before
        return {**answer, **user_of(user, before), "first_message": history[-1].content or ""}
    return {**answer, **user_of(user, ""), "first_message": DEFAULT_FIRST_AGENT_MESSAGE.content}


def user_of(user: Any, before: str) -> Json:
    return {
        "user_prompt": user.system_prompt + before,
        "user_tools": [tool.openai_schema for tool in user.tools or []],
    }


def transcript(history: list[Any]) -> str:
    """The end of a prompt of a task that begins in the middle of a conversation, which the protocol does not carry."""
    lines = []
    for message in history:
        for call in getattr(message, "tool_calls", None) or []:
            lines.append(f"{message.role} calls {call.name} with {call.arguments}")
        if message.content:
            lines.append(f"{message.role}: {message.content}")
    return "\n\n<conversation_so_far>\n" + "\n".join(lines) + "\n</conversation_so_far>"
