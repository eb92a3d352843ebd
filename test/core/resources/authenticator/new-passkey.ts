import { paramsOf } from '../../world/software-passkey.ts'
import type { Scene } from '../example.ts'

/** A passkey that nobody has, as requests register it. */
export const newPasskey = ({ passkey, text }: Scene) => paramsOf(passkey(), text('authenticatorName'))

/** The same in the older form. Nobody reads the user that it names, who may not be there yet, and of its two ids only the raw one. */
export const olderPasskey = (scene: Scene) => olderForm(newPasskey(scene), scene.user, scene.text('id'))

/** A passkey of a request in the older form. */
export const olderForm = ({ attestation, ...passkey }: ReturnType<typeof paramsOf>, userId: string, id = 'an id') => {
  const { credentialId: rawId, transports, ...response } = attestation
  return {
    ...passkey,
    userId,
    attestation: {
      id,
      rawId,
      type: 'public-key',
      response: { ...response, transports, authenticatorAttachment: undefined },
      clientExtensionResults: {},
    },
  }
}
