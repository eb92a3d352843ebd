import { failure, type Failure, type FailureCode } from '../failure.ts'

/** Thrown inside of an adapter, and a failure at its border. */
export class Refusal extends Error {
  readonly failure: Failure

  constructor(of: Failure) {
    super(of.message)
    this.failure = of
  }
}

export const refuse = (code: FailureCode, message: string): Refusal => new Refusal(failure(code, message))
