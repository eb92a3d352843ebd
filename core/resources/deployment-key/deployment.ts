import type { Services } from '../../definition/port.ts'
import type { Failure } from '../../failure.ts'
import type { Keyring } from '../../ports/keyring.ts'
import type { SealedRows } from '../../ports/sealed-rows.ts'
import { E } from '../../prelude.ts'
import { DAY_SECRETS, daySecrets, type DaySecrets, type DaySecretsPorts } from './day-secrets.ts'
import { keyringWithKeys, publicHalf } from './deployment-keys.ts'
import { identityServices } from './identity-issuer.ts'
import { webhookKeys, type WebhookKeys } from './webhook-keys.ts'

/** What the whole deployment has, where its engine has a keyring; the secrets also need sealed rows. */
export type Deployment = {
  readonly keyring?: Keyring | undefined
  /** The public keys that sign verification tokens. */
  readonly verificationKeys?: readonly string[]
  readonly webhooks?: WebhookKeys
  readonly daySecrets?: DaySecrets
  /** The services for operations that are made of it, by the names of their ports. */
  readonly services: Services
}

/** Of the options of an engine. */
type Given = Pick<DaySecretsPorts, 'clock'> & {
  readonly ports?: Services | undefined
  readonly publicUrl?: string | undefined
}

/** Makes what is missing: who comes second finds what is there. */
export const deployment = async (
  { ports: services = {}, publicUrl, clock }: Given,
  sealed: SealedRows | undefined,
  notice: DaySecretsPorts['notice'],
): Promise<E.Either<Failure, Deployment>> => {
  const made = await keyringWithKeys(services)()
  if (E.isLeft(made)) return made
  const keyring = made.right
  const identity = identityServices(publicUrl, keyring, services)
  if (keyring === undefined) return E.right({ services: identity })
  const verification = await publicHalf(keyring, 'verification')()
  if (E.isLeft(verification)) return verification
  const known = { keyring, verificationKeys: [verification.right], services: identity }
  if (sealed === undefined) return E.right(known)
  const secrets = await daySecrets({ clock, notice, keyring, sealed })
  return E.map((found: DaySecrets) => ({
    ...known,
    webhooks: webhookKeys(keyring, sealed),
    daySecrets: found,
    services: { ...identity, [DAY_SECRETS]: found },
  }))(secrets)
}
