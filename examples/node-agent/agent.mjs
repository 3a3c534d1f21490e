// A stateless agent service: each request makes one model call, and its tool calls are the answer.
// node agent.mjs [PORT]

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { MODEL = 'gpt-5.4-mini' } = process.env;

async function answer({ policy, conversation, tools, model_url }) {
  const response = await fetch(`${model_url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'system', content: policy }, ...conversation], tools }),
  });
  // Passes the model's failure on: tauflow retries temporary ones.
  if (!response.ok) return [response.status, { error: await response.text() }];
  const { message } = (await response.json()).choices[0];
  return [200, message.tool_calls?.length ? { tool_calls: message.tool_calls } : { message: message.content ?? '' }];
}

const server = createServer(async (request, response) => {
  const isTurn = request.method === 'POST';
  const [status, body] = isTurn
    ? await answer(JSON.parse(await text(request))).catch((error) => [500, { error: String(error) }])
    : [200, { name: 'node-agent', version: '1', protocol: '1' }];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(process.argv[2] ?? 8000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
