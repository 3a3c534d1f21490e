export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'missing' | 'problem';
  readonly message: string;
}
