import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { ipAllowlists, OnEvaluationError, OWN_LIST } from '../../organization/ip-allowlists.ts'
import { checkPublicKey, PublicKey } from './ip-allowlist-checks.ts'

const IpAllowlistView = t.named(
  'IpAllowlist',
  t.fields(
    {
      organizationId: t.Uuid,
      publicKey: t.described(t.union([t.string, t.null]), 'null for the list of the organization'),
      rules: t.readonlyArray(
        t.fields({
          cidr: t.string,
          label: t.string,
          createdAt: t.described(t.string, 'when the list was set, in milliseconds since the epoch'),
        }),
      ),
      onEvaluationError: OnEvaluationError,
    },
    { enabled: t.described(t.boolean, 'of the list of the organization alone') },
  ),
)

/** A list that is not there is shown as one without rules. */
export const getIpAllowlist = query({
  path: 'get_ip_allowlist',
  summary: 'Shows the list of allowed addresses of the organization, or of one key.',
  request: t.fields({ organizationId: t.Uuid }, { publicKey: PublicKey }),
  answer: t.fields({ allowlist: IpAllowlistView }),
  run: ({ publicKey }, { organization }) => {
    checkPublicKey(organization, publicKey)
    const list = ipAllowlists.of(organization).get(publicKey ?? OWN_LIST)
    return {
      allowlist: {
        organizationId: organization.organizationId,
        publicKey: publicKey ?? null,
        enabled: publicKey === undefined ? (list?.enabled ?? false) : undefined,
        rules: (list?.rules ?? []).map((rule) => ({ ...rule, createdAt: String(list?.setAtMs) })),
        onEvaluationError: list?.onEvaluationError ?? 'DENY',
      },
    }
  },
})
