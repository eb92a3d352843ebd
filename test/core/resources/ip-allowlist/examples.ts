import { getIpAllowlist } from '../../../../core/resources/ip-allowlist/get-ip-allowlist.ts'
import { removeIpAllowlist } from '../../../../core/resources/ip-allowlist/remove-ip-allowlist.ts'
import { setIpAllowlist } from '../../../../core/resources/ip-allowlist/set-ip-allowlist.ts'
import { asking, AUDITED, example, ORGANIZATION } from '../example.ts'

const NOBODYS = '02'.repeat(33)

/** The list is not enabled: who plays the examples has another address. */
export const examples = [
  example(setIpAllowlist, {
    valid: ({ text }) => ({
      publicKey: undefined,
      enabled: false,
      rules: [{ cidr: '203.0.113.0/24', label: text('label') }],
      onEvaluationError: 'DENY',
    }),
    refused: [{ rules: [{ cidr: '10.0.0.0/8' }] }, 'REQUEST_INVALID'],
  }),
  example(removeIpAllowlist, {
    valid: async ({ made }) => {
      await made(setIpAllowlist)
      return { publicKey: undefined }
    },
    refused: [{ publicKey: NOBODYS }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getIpAllowlist,
    async ({ made }) => {
      await made(setIpAllowlist)
      return {
        request: { publicKey: undefined },
        shows: { allowlist: { enabled: false, rules: [{ cidr: '203.0.113.0/24' }], onEvaluationError: 'DENY' } },
      }
    },
    { refused: [{ publicKey: NOBODYS }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = {
  cidr: 'a network, which a caller chose for the organization',
  label: ORGANIZATION,
  onEvaluationError: 'one of two words',
  publicKey: AUDITED,
}
