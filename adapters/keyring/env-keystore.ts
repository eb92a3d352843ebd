import { failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import { E } from '../../core/prelude.ts'
import { keystoreOf, readKeys, type KeystoreKeys } from './keystore-keys.ts'

export type EnvKeystoreOptions = {
  /** A variable of the environment with keys, commas between them: each `csk1_` and the base64url of 32 random bytes. The first one wraps. */
  readonly name: string
}

/**
 * A keystore in a variable of the environment. Its methods fail with `CONFIGURATION_INVALID` if the variable is missing, or is something else.
 *
 * @example createEngine({ store, keystore: envKeystore({ name: 'COUNTERSIGN_KEYS' }) })
 */
export const envKeystore = ({ name }: EnvKeystoreOptions): Keystore => keystoreOf(keysInVariable(name))

/** The keys of a keystore in a variable. */
export const keysInVariable =
  (name: string): KeystoreKeys =>
  async () => {
    const text = process.env[name] ?? ''
    return text === ''
      ? E.left(failure('CONFIGURATION_INVALID', `the variable ${name} has no keystore`))
      : readKeys(text, `the variable ${name}`)
  }
