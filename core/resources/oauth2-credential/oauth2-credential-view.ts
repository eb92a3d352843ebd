import * as t from '../../codec/t.ts'
import { shownMembers } from '../records.ts'
import { Oauth2Provider } from './oauth2-credentials.ts'

/** A credential of OAuth2 as the wire shows it: with its secret, as encrypted as it came. */
export const Oauth2CredentialView = t.named(
  'Oauth2Credential',
  t.fields({
    oauth2CredentialId: t.Uuid,
    provider: Oauth2Provider,
    clientId: t.string,
    encryptedClientSecret: t.string,
    ...shownMembers,
  }),
)
