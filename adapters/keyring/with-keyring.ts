import { orThrow } from '../../core/countersign-error.ts'
import type { Services } from '../../core/definition/port.ts'
import { failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E } from '../../core/prelude.ts'
import { nodeKeyring } from './node-keyring.ts'

export type WithKeyringOptions = {
  readonly storage: Pick<Storage, 'sealed'>
  readonly keystore: Keystore | undefined
  /** The services of the host. Its own keyring stays. */
  readonly ports: Services | undefined
}

/**
 * Starts an engine with a keyring among its ports, where there are a keystore and sealed rows. The keyring closes after the engine.
 *
 * @returns rejects if the keystore is not the one of the store, or does not answer
 */
export const withKeyring = async <A extends { readonly close: () => Promise<void> }>(
  { storage: { sealed }, keystore, ports = {} }: WithKeyringOptions,
  start: (ports: Services) => Promise<A>,
): Promise<A> => {
  orThrow(isKeystore(keystore) ? E.right(undefined) : E.left(wrongOption))
  if (keystore === undefined || sealed === undefined || ports['keyring'] !== undefined) return start(ports)
  const keyring = nodeKeyring({ sealed, keystore })
  try {
    orThrow(await keyring.check())
    const engine = await start({ ...ports, keyring })
    const close = async (): Promise<void> => {
      await engine.close()
      await keyring.close()
    }
    return { ...engine, close }
  } catch (error) {
    await keyring.close()
    throw error
  }
}

/** A host may not have been compiled with our types. */
const isKeystore = (keystore: Partial<Keystore> | undefined): boolean =>
  keystore === undefined || (typeof keystore?.wrap === 'function' && typeof keystore.unwrap === 'function')

const wrongOption = failure('CONFIGURATION_INVALID', 'keystore: expected a keystore, such as fileKeystore({ path })')
