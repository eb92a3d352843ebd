/** What the server says that it can do. */
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type shared from '@eventstore/db-client/generated/shared_pb.js'
import type { Node } from './node.ts'

const STREAMS = 'event_store.client.streams.streams'

export const supportedMethods =
  ({ settings }: Node) =>
  (
    _call: ServerUnaryCall<shared.Empty, features.SupportedMethods>,
    answer: sendUnaryData<features.SupportedMethods>,
  ) => {
    const methods = new features.SupportedMethods()
    methods.setEventStoreServerVersion(settings.version.split('.').slice(0, 3).join('.'))
    const add = (name: string, ...of: readonly string[]): void => {
      const method = new features.SupportedMethod()
      method.setServiceName(STREAMS)
      method.setMethodName(name)
      method.setFeaturesList([...of])
      methods.addMethods(method)
    }
    add('read', ...(settings.positionsInStreams ? ['position', 'events'] : []))
    for (const name of ['append', 'delete', 'tombstone']) add(name)
    if (settings.batchAppend) add('batchappend', 'deadline_duration')
    answer(null, methods)
  }
