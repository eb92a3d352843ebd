import { resource } from '../../definition/resource.ts'
import { createOauth2Credential } from './create-oauth2-credential.ts'
import { deleteOauth2Credential } from './delete-oauth2-credential.ts'
import { getOauth2Credential } from './get-oauth2-credential.ts'
import { listOauth2Credentials } from './list-oauth2-credentials.ts'
import { oauth2Authenticate } from './oauth2-authenticate.ts'
import { oauth2CredentialLimits } from './oauth2-credential-limits.ts'
import { oauth2Credentials } from './oauth2-credentials.ts'
import { updateOauth2Credential } from './update-oauth2-credential.ts'

export {
  createOauth2Credential,
  deleteOauth2Credential,
  getOauth2Credential,
  listOauth2Credentials,
  oauth2Authenticate,
  oauth2Credentials,
  updateOauth2Credential,
}

export const oauth2CredentialResource = resource({
  name: 'oauth2-credentials',
  states: [oauth2Credentials],
  limits: oauth2CredentialLimits,
  operations: [createOauth2Credential, updateOauth2Credential, deleteOauth2Credential, oauth2Authenticate],
  queries: [getOauth2Credential, listOauth2Credentials],
})
