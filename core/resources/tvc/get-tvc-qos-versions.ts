import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'

/** @param qosVersions  as the operator of the server names them, the latest last */
export const getTvcQosVersionsOf = (qosVersions: readonly string[]) =>
  query({
    path: 'get_tvc_qos_versions',
    summary: 'Tells the versions of QuorumOS that deployments may name; if there are none, they may name any.',
    request: InOrganization,
    answer: t.fields({
      availableVersions: t.readonlyArray(t.string),
      latestVersion: t.described(t.string, 'empty if there are no versions'),
    }),
    run: () => ({ availableVersions: qosVersions, latestVersion: qosVersions.at(-1) ?? '' }),
  })

export const getTvcQosVersions = getTvcQosVersionsOf([])
