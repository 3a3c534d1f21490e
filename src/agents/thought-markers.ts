/**
 * The markers that models and agents put around a thought, which is a draft: its commands must not run, and the user
 * must not see it. One table is for replies of models and answers of agents. No tag in it is also the name of a tool's
 * parameter, because FastWorkflow's commands contain such tags: `<reason>no longer needed</reason>`.
 */

/** Markers of a thought within a text, in upper and lower case. */
export interface TextMarker {
  readonly opens: readonly string[];
  readonly closes: readonly string[];
  /**
   * Places at which a closing marker without an opening one ends a thought. The prompt contained the opening marker, so
   * the thought is everything before the closing one.
   */
  readonly closesAlone: 'anywhere' | 'line' | 'never';
  /** True for a token of a chat template. It is never a word of the reply, so it may open a thought within a line. */
  readonly isToken: boolean;
  /** Tokens of the same template around the reply itself. They are removed, without the text between them. */
  readonly wrappers?: readonly string[];
  /** Model, server or framework that writes the marker, and a parser or page that names it. */
  readonly source: string;
}

/** A thought that begins a reply in plain words. It is recognized only if its closing words follow. */
interface OpeningWords {
  readonly opens: readonly string[];
  readonly closes: readonly string[];
  readonly source: string;
}

function tags(names: readonly string[], source: string, closesAlone: TextMarker['closesAlone'] = 'line'): TextMarker {
  return {
    opens: names.map((name) => `<${name}>`),
    closes: names.map((name) => `</${name}>`),
    closesAlone,
    isToken: false,
    source,
  };
}

/** Tags of thoughts. Each closing tag closes any opening tag, because models mix them up. */
export const THINK_TAGS = tags(
  ['think', 'thinking'],
  'DeepSeek R1, Qwen3, GLM-4.5, Nemotron, MiniMax M2 (reasoning parsers of vLLM and SGLang); Amazon Nova; Claude by prompt',
  'anywhere',
);

export const TEXT_MARKERS: readonly TextMarker[] = [
  THINK_TAGS,
  tags(['thought'], 'EXAONE Deep (chat template); Gemini by its OpenAI-compatible API; Open WebUI'),
  tags(['thoughts'], 'Gemini CLI and prompts of agents'),
  tags(['reasoning'], 'Open WebUI; prompts of agents'),
  tags(['scratchpad'], "Anthropic's guide to prompts with a chain of thought"),
  tags(['antThinking'], 'Claude with artifacts', 'anywhere'),
  tags(['antml:thinking'], 'Claude by prompt', 'anywhere'),
  tags(['seed:think'], 'Seed-OSS of ByteDance (vLLM: seed_oss)', 'anywhere'),
  tags(['longcat_think'], 'LongCat-Flash-Thinking of Meituan', 'anywhere'),
  {
    opens: ['<details type="reasoning"'],
    closes: ['</details>'],
    closesAlone: 'never',
    isToken: false,
    source: 'Open WebUI, in answers of its API',
  },
  {
    opens: ['[THINK]'],
    closes: ['[/THINK]'],
    closesAlone: 'line',
    isToken: false,
    source: 'Magistral of Mistral (vLLM: mistral)',
  },
  {
    opens: ['◁think▷'],
    closes: ['◁/think▷'],
    closesAlone: 'anywhere',
    isToken: true,
    source: 'Kimi-VL and Kimi-Dev of Moonshot (SGLang: kimi)',
  },
  {
    opens: ['<|START_THINKING|>'],
    closes: ['<|END_THINKING|>'],
    closesAlone: 'anywhere',
    isToken: true,
    wrappers: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
    source: 'Command A Reasoning of Cohere (llama.cpp)',
  },
  {
    opens: ['<|inner_prefix|>'],
    closes: ['<|inner_suffix|>'],
    closesAlone: 'anywhere',
    isToken: true,
    source: 'Apertus (llama.cpp)',
  },
  {
    opens: ['<|begin_of_thought|>'],
    closes: ['<|end_of_thought|>'],
    closesAlone: 'anywhere',
    isToken: true,
    wrappers: ['<|begin_of_solution|>', '<|end_of_solution|>'],
    source: 'Sky-T1 and OpenThoughts; Open WebUI',
  },
  {
    opens: ['<|channel>thought'],
    closes: ['<channel|>'],
    closesAlone: 'anywhere',
    isToken: true,
    source: 'Gemma 4 of Google (chat template)',
  },
  {
    opens: ['[unused16]'],
    closes: ['[unused17]'],
    closesAlone: 'anywhere',
    isToken: true,
    source: 'openPangu-Embedded of Huawei (model card)',
  },
  {
    opens: ['<|think|>'],
    closes: ['<|end|>'],
    closesAlone: 'never',
    isToken: true,
    wrappers: ['<|begin|>assistant', '<|content|>', '<|flush|>'],
    source: 'Solar Open of Upstage (llama.cpp)',
  },
  {
    // A call of a tool that nobody has read is not for the user either.
    opens: ['<|channel|>analysis', '<|channel|>commentary to=', '<|start|>assistant to='],
    closes: ['<|end|>', '<|call|>', '<|start|>assistant', '<|channel|>final'],
    closesAlone: 'never',
    isToken: true,
    wrappers: ['<|channel|>commentary', '<|message|>', '<|return|>', '<|start|>', '<|constrain|>json'],
    source: "harmony, gpt-oss of OpenAI (OpenAI's cookbook; vLLM: openai_gptoss)",
  },
];

export const OPENING_WORDS: readonly OpeningWords[] = [
  {
    opens: ['analysis'],
    closes: ['assistantfinal'],
    source: 'harmony, from servers that leave its tokens out of the text',
  },
  {
    opens: ['Here is my thought process:', "Here's my thought process:"],
    closes: ['Here is my response:', "Here's my response:"],
    source: 'Granite 3.2 of IBM (vLLM: granite)',
  },
];

/** Names in the metadata of a message, an artifact or a part that mark a thought, as A2A servers write them. */
export const METADATA_MARKERS = {
  /**
   * Keys with the value true: `adk_thought` (Google ADK; kagent, in Go), `kagent_thought` (kagent, in Python),
   * `jiuwen_thought` (openJiuwen), `thought` (Gemini's parts), `is_thought`.
   */
  flags: /(?:^|[^a-z])(?:is_?)?thought$|^(?:is_?)?(?:thinking|reasoning)$/i,
  /**
   * Keys whose value is a kind: `type` (fasta2a and Pydantic AI), `kind` (Gemini CLI, in `coderAgent`),
   * `agno_content_category` and `agno_event_type` (Agno), `chunk_type` (openJiuwen), LangChain's `type`.
   */
  kindKeys: /(?:^|[^a-z])(?:type|kind|category|channel)$/i,
  kinds: /^(?:llm[_-])?(?:thoughts?|thinking|reasoning|redacted_thinking|reasoning_content|analysis)(?:_step)?$/i,
} as const;
