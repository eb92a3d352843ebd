import { oncePer } from '../collections/once-per.ts'
import { decodeClientData, isFromOrigins } from '../stamp/client-data.ts'
import type { PasskeyStamp } from '../stamp/passkey-stamp.ts'
import { features } from './features.ts'
import { originsIn } from './origins.ts'
import type { Organization } from './state.ts'

/** Whether the organization accepts signatures from where the stamp was made: from everywhere, unless its feature names origins. */
export const acceptsOrigin = (organization: Organization, stamp: PasskeyStamp): boolean => {
  const client = clientOf(stamp)
  return client !== undefined && acceptsClient(organization, client)
}

/** As `acceptsOrigin`, for a page where a passkey was registered. */
export const acceptsClient = (organization: Organization, client: Parameters<typeof isFromOrigins>[0]): boolean => {
  const listed = features.of(organization).get('FEATURE_NAME_WEBAUTHN_ORIGINS')
  return isFromOrigins(client, listed === undefined ? undefined : originsIn(listed))
}

const clientOf = oncePer(({ clientData }: PasskeyStamp) => decodeClientData(clientData))
