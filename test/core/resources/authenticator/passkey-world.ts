import type { Json } from '../../../../core/failure.ts'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import type { Request } from '../../../../core/request.ts'
import { paramsOf, type SoftwarePasskey } from '../../world/software-passkey.ts'
import { right, type Person, type Place, type World } from '../../world/world.ts'

export { anyPasskey, paramsOf } from '../../world/software-passkey.ts'

/** Registers passkeys of a person, who asks for it. Gives their ids. */
export const register = async (w: Pick<Place, 'done'>, person: Person, ...passkeys: readonly SoftwarePasskey[]) => {
  const authenticators = passkeys.map((passkey, n) => paramsOf(passkey, `passkey ${n}`))
  const { result } = await w.done(person, 'create_authenticators', { userId: person.userId, authenticators })
  return (result['createAuthenticatorsResult'] as { readonly authenticatorIds: readonly string[] }).authenticatorIds
}

/** A request with the stamp of a passkey. */
export const byPasskey = (
  passkey: SoftwarePasskey,
  body: Uint8Array,
  ...more: [Parameters<SoftwarePasskey['stamp']>[1]?]
): Request => ({
  headers: { 'X-Stamp-Webauthn': passkey.stamp(body, ...more) },
  body,
  address: null,
})

/** Submits with the stamp of a passkey. */
export const submitBy = (w: World, passkey: SoftwarePasskey, path: string, parameters: Json) =>
  w.engine.submit(path, byPasskey(passkey, w.body(path, parameters)))()

/** Asks with the stamp of a passkey. */
export const askBy = (w: World, passkey: SoftwarePasskey, path: string, members: object = {}) =>
  w.engine.query(
    path,
    byPasskey(passkey, encodeUtf8(JSON.stringify({ organizationId: w.organizationId, ...members }))),
  )()

export const done = async (...asked: Parameters<typeof submitBy>) => right(await submitBy(...asked))
