import { removeOrganizationFeature } from '../../../../core/resources/feature/remove-organization-feature.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { example, ORGANIZATION } from '../example.ts'

/** The passkeys of examples are of the first of these origins: without it, others could not be registered. */
export const examples = [
  example(setOrganizationFeature, {
    valid: ({ text }) => ({
      name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
      value: `https://example.org,https://${text('value')}.org`,
    }),
    refused: [{ name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: '*' }, 'REQUEST_INVALID'],
    shows: (feature) => ({ features: [feature] }),
  }),
  example(removeOrganizationFeature, {
    valid: async ({ made }) => {
      await made(setOrganizationFeature)
      return { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS' }
    },
    refused: [{ name: 'FEATURE_NAME_SMS_AUTH' }, 'RESOURCE_NOT_FOUND'],
    shows: () => ({ features: [] }),
  }),
]

export const texts = { name: 'of a feature: one of eleven; or of a part that was erased', value: ORGANIZATION }
