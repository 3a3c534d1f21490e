"""What an episode begins with: policy, tools, the prompts of agent and user, and the opening words."""

import json
from typing import Any

from .domains import Domain
from .episodes import Episode
from .protocol import Json


def describe_start(domain: Domain, task: Any, episode: Episode) -> Json:
    """Returns the answer to `start`. The prompts are those of tau2's own agent and user."""
    from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE
    from tau2.runner.build import build_agent, build_user

    environment = episode.environment
    run = build_run(domain, task)
    # No model is called; the classes want a name.
    agent_name = "llm_agent_solo" if domain.is_solo else "llm_agent"
    agent = run.agent if run else build_agent(agent_name, environment, llm="none", task=task, solo_mode=domain.is_solo)
    answer: Json = {
        "policy": environment.get_policy(),
        "tools": [tool.openai_schema for tool in agent.tools],
        "agent_prompt": agent.system_prompt,
        "content": json.dumps(task.model_dump(mode="json"), ensure_ascii=False),
        "state": episode.state,
    }
    if domain.is_solo:
        return {**answer, "first_message": task.ticket}
    user = run.user if run else build_user("user_simulator", environment, task, llm="none")
    history = (task.initial_state and task.initial_state.message_history) or []
    if history:
        before = transcript(history)
        answer["agent_prompt"] += before
        return {**answer, **user_of(user, before), "first_message": history[-1].content or ""}
    greeting = DEFAULT_FIRST_AGENT_MESSAGE
    if run:
        run.initialize()
        greeting = run.trajectory[0]
    return {**answer, **user_of(user, ""), "first_message": greeting.content}


def build_run(domain: Domain, task: Any) -> Any:
    """Builds tau2's own run of a task where an option changes its user or agent, such as the language; else None."""
    if not domain.run_options or domain.is_solo:
        return None
    from tau2.data_model.simulation import TextRunConfig
    from tau2.runner.build import build_text_orchestrator

    config = TextRunConfig(
        domain=domain.name,
        task_set_name=domain.task_set,
        agent="llm_agent",
        user="user_simulator",
        llm_agent="none",
        llm_user="none",
        **domain.run_options,
    )
    return build_text_orchestrator(config, task)


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
