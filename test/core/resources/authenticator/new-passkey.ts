import { paramsOf } from '../../world/software-passkey.ts'
import type { Scene } from '../example.ts'

/** A passkey that nobody has, as requests register it. */
export const newPasskey = ({ passkey, text }: Scene) => paramsOf(passkey(), text('authenticatorName'))

/** The same in the older form. Nobody reads the user that it names, who may not be there yet, and of its two ids only the raw one. */
export const olderPasskey = (scene: Scene) => {
  const { attestation, ...passkey } = newPasskey(scene)
  const { credentialId: rawId, transports, ...response } = attestation
  return {
    ...passkey,
    userId: scene.user,
    attestation: {
      id: scene.text('id'),
      rawId,
      type: 'public-key',
      response: { ...response, transports, authenticatorAttachment: undefined },
      clientExtensionResults: {},
    },
  }
}
