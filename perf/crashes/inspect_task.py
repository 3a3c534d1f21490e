"""
tau-bench's retail tasks for Inspect: tau-bench's own environment, its user's prompt and its tool-calling loop.

As a program it prints what the logs in a folder have: of each sample that ended without an error its id and reward.
"""

import json
import sys

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import solver
from inspect_ai.tool import ToolInfo
from tau_bench.envs import user as tau_user
from tau_bench.envs.retail.env import MockRetailDomainEnv
from tau_bench.types import RESPOND_ACTION_NAME, Action

MOST_STEPS = 30
GREETING = "Hi! How can I help you today?"


class Replies(tau_user.HumanUserSimulationEnv):
    """A user whose replies come from Inspect's model, so that Inspect retries, caches and logs its calls too."""

    reply = ""

    def reset(self, instruction):
        return self.reply

    def step(self, content):
        return self.reply


class Prompt(tau_user.LLMUserSimulationEnv):
    def __init__(self):
        """Makes no call, as tau-bench's constructor does."""


@solver
def tool_calling():
    async def solve(state, generate):
        model = get_model()
        index = int(state.sample_id)
        env = MockRetailDomainEnv(user_strategy="human", task_split="test", task_index=index)
        env.user = Replies()
        prompt = Prompt().build_system_prompt(env.tasks[index].instruction)
        heard = [ChatMessageSystem(content=prompt), ChatMessageUser(content=GREETING)]

        async def hear():
            said = (await model.generate(heard)).message
            heard.append(said)
            env.user.reply = said.text

        await hear()
        state.messages = [ChatMessageSystem(content=env.wiki), ChatMessageUser(content=env.reset(index).observation)]
        tools = [ToolInfo(**info["function"]) for info in env.tools_info]
        for _ in range(MOST_STEPS):
            answer = (await model.generate(state.messages, tools=tools)).message
            calls = answer.tool_calls or []
            if calls:
                answer = ChatMessageAssistant(content=answer.content, tool_calls=calls[:1])
                step = env.step(Action(name=calls[0].function, kwargs=calls[0].arguments))
                said = ChatMessageTool(content=step.observation, tool_call_id=calls[0].id, function=calls[0].function)
            else:
                heard.append(ChatMessageUser(content=answer.text))
                await hear()
                step = env.step(Action(name=RESPOND_ACTION_NAME, kwargs={"content": answer.text}))
                said = ChatMessageUser(content=step.observation)
            state.messages.extend([answer, said])
            if step.done:
                state.metadata["reward"] = step.reward
                break
        return state

    return solve


@scorer(metrics=[accuracy()])
def reward():
    async def score(state, target):
        return Score(value=state.metadata.get("reward", 0.0))

    return score


@task
def retail(tasks: str):
    samples = [Sample(id=id, input=GREETING) for id in str(tasks).split()]
    return Task(dataset=samples, solver=tool_calling(), scorer=reward())


if __name__ == "__main__":
    logs = [read_eval_log(info) for info in list_eval_logs(sys.argv[1], descending=False)]
    samples = {sample.id: sample for log in logs for sample in log.samples or []}
    print(json.dumps([[int(id), one.scores["reward"].value] for id, one in samples.items() if not one.error]))
