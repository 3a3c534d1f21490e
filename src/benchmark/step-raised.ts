/**
 * An exception that leaves the reference's `Env.step`: the episode is over, without a grade. Exceptions of tools are
 * observations instead.
 */

export class StepRaised extends Error {
  /** Python's name of the exception. */
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = 'StepRaised';
    this.type = type;
  }

  /** A tool that returned nothing, in the words of pydantic, which checks the reference's observations. */
  static noObservation(): StepRaised {
    return new StepRaised(
      'ValidationError',
      '1 validation error for EnvResponse\nobservation\n  Input should be a valid string [type=string_type, ' +
        'input_value=None, input_type=NoneType]\n' +
        '    For further information visit https://errors.pydantic.dev/2.14/v/string_type',
    );
  }
}
