/** What the nodes say about each other: clients look for the leader by it. */
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { Member, Node } from './node.ts'

const { VNodeState } = gossip.MemberInfo
const STATES = { leader: VNodeState.LEADER, follower: VNodeState.FOLLOWER, unknown: VNodeState.UNKNOWN } as const
const TICKS_PER_MS = 10_000n

export const gossipRead =
  (node: Node) =>
  (_call: ServerUnaryCall<shared.Empty, gossip.ClusterInfo>, answer: sendUnaryData<gossip.ClusterInfo>) => {
    const info = new gossip.ClusterInfo()
    for (const member of node.members()) info.addMembers(memberInfo(member))
    answer(null, info)
  }

const memberInfo = ({ id, host, port, role, isAlive }: Member): gossip.MemberInfo => {
  const info = new gossip.MemberInfo()
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const structured = new shared.UUID.Structured()
  structured.setMostSignificantBits(`${bytes.readBigInt64BE(0)}`)
  structured.setLeastSignificantBits(`${bytes.readBigInt64BE(8)}`)
  const uuid = new shared.UUID()
  uuid.setStructured(structured)
  info.setInstanceId(uuid)
  info.setTimeStamp(`${BigInt(Date.now()) * TICKS_PER_MS}`)
  info.setState(STATES[role])
  info.setIsAlive(isAlive)
  const endPoint = new gossip.EndPoint()
  endPoint.setAddress(host)
  endPoint.setPort(port)
  info.setHttpEndPoint(endPoint)
  return info
}
