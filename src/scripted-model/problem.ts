/** Error of a request that cannot be played, with the HTTP status and the fields of the API's error. */
export class RequestProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.name = 'RequestProblem';
    this.status = status;
    this.code = code;
    this.param = param;
  }
}
