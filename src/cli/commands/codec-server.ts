/** `tauflow codec-server`: decrypts payloads for Temporal UI in a browser on this machine. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { awaitInterrupt } from '../interrupt.ts';

interface Flags {
  readonly port?: string;
  readonly uiUrl?: string[];
}

export function defineCodecServerCommand(command: Command, context: CliContext): void {
  command
    .option('--port <port>', 'port to listen on (default: 8234, where a local server that was started with keys looks)')
    .option('--ui-url <url...>', "where Temporal UI is (default: this folder's server, else http://127.0.0.1:8233)")
    .action(async (flags: Flags) => {
      await serve(flags, context);
    });
}

async function serve(flags: Flags, context: CliContext): Promise<void> {
  const { describeKeys, ENCRYPTION_VARIABLE, readKeyRing } = await import('../../temporal/codec/index.ts');
  const { EncryptionCodec } = await import('../../temporal/codec/index.ts');
  const { listOrigins, startCodecServer } = await import('../../temporal/codec/index.ts');
  const { DEFAULT_CODEC_PORT } = await import('../../temporal/server/index.ts');
  const port = flags.port === undefined ? DEFAULT_CODEC_PORT : parsePort(flags.port);
  const keys = readKeyRing(context.env);
  if (keys.length === 0) {
    throw new UsageError(`there is nothing to decrypt with: set ${ENCRYPTION_VARIABLE} to the key that the runs have.`);
  }
  const uiUrls = flags.uiUrl ?? [await localUi(context)];
  const wrong = uiUrls.find((url) => !URL.canParse(url) || !url.startsWith('http'));
  if (wrong !== undefined)
    throw new UsageError(`--ui-url ${wrong} is not an address; write it as http://127.0.0.1:8233.`);
  const server = await startCodecServer({
    codec: new EncryptionCodec(keys),
    port,
    origins: new Set(uiUrls.flatMap(listOrigins)),
  });
  const { asked } = awaitInterrupt();
  context.out(
    `codec endpoint ${server.url} for Temporal UI at ${uiUrls.join(', ')}, key ${describeKeys(keys)}; press Ctrl-C to stop`,
  );
  await asked;
  await server.close();
}

async function localUi({ cwd }: CliContext): Promise<string> {
  const { findServer } = await import('../../temporal/server/index.ts');
  return (await findServer(cwd))?.uiUrl ?? 'http://127.0.0.1:8233';
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new UsageError(`--port ${text} is not a port; give a number from 0 (any free one) to 65535.`);
}
