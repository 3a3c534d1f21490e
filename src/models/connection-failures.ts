/**
 * Failures without an answer. They are permanent if the name, the certificate or the proxy in the provider's address is
 * wrong, otherwise transient.
 */

import type { FailureType } from '../evaluation/index.ts';

/** Failures to connect; the first matching row applies. Others are transient. */
const CONNECTION_ROWS: readonly {
  /** Codes of Node and its TLS, or their beginnings. */
  readonly codes: readonly string[];
  readonly remedy: string;
}[] = [
  // A resolver that does not answer is EAI_AGAIN, which may pass.
  { codes: ['ENOTFOUND'], remedy: 'no server has this name; check the address of the provider' },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    remedy: "renew the server's certificate, or set this machine's clock",
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    remedy: 'name the provider in its address as its certificate does',
  },
  {
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_', 'CERT_'],
    remedy:
      'start Tauflow and its workers with NODE_EXTRA_CA_CERTS=FILE, where FILE has the certificate of the authority in PEM form',
  },
  {
    codes: ['ERR_SSL_', 'EPROTO'],
    remedy: 'the server speaks no TLS, or another one; check whether its address begins with http:// or https://',
  },
];

/** A proxy's own answer, in the HTTP client's words. */
const PROXYS_ANSWER = /^Proxy response \((\d{3})\)/;

/** Classifies the innermost error of a failed connection. */
export function judgeConnection({ message, code }: Error & { readonly code?: unknown }): {
  readonly type: FailureType;
  readonly remedy?: string;
} {
  const [, status] = PROXYS_ANSWER.exec(message) ?? [];
  if (status !== undefined) {
    if (Number(status) >= 500) return { type: 'ModelUnavailable' };
    return {
      type: 'NoConnection',
      remedy: 'check user and password in HTTPS_PROXY or HTTP_PROXY, or name the server in NO_PROXY',
    };
  }
  const row = CONNECTION_ROWS.find(({ codes }) => codes.some((known) => String(code).startsWith(known)));
  return row === undefined ? { type: 'ModelUnavailable' } : { type: 'NoConnection', remedy: row.remedy };
}
