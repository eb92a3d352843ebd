import { Client, credentials, Metadata, Server, ServerCredentials, type handleBidiStreamingCall } from '@grpc/grpc-js'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'

/** Passes the messages of all calls on as they are, and answers appends in batches twice, if it is told to. */
export type Relay = {
  readonly port: number
  /** The next answers come twice: as if one came late, behind the error that ended the waiting for it. */
  readonly answerTwice: (times: number) => void
  readonly close: () => void
}

const asItIs = (bytes: Buffer): Buffer => bytes

export const startRelay = async (to: { readonly host: string; readonly port: number }): Promise<Relay> => {
  const client = new Client(`${to.host}:${to.port}`, credentials.createInsecure())
  const server = new Server()
  let twice = 0
  const services = [streamServices.StreamsService, featureServices.ServerFeaturesService]
  const methods: readonly { readonly path: string }[] = services.flatMap((service) => Object.values(service))
  const raw = Object.fromEntries(
    methods.map(({ path }) => [
      path,
      {
        path,
        // For whoever passes bytes on, every call may be a stream.
        requestStream: true,
        responseStream: true,
        requestSerialize: asItIs,
        requestDeserialize: asItIs,
        responseSerialize: asItIs,
        responseDeserialize: asItIs,
      } as const,
    ]),
  )
  const handlers = Object.fromEntries(
    Object.keys(raw).map((path) => [
      path,
      (near: DuplexCall) => {
        const headers = new Metadata()
        for (const [name, value] of Object.entries(near.metadata.getMap())) headers.set(name, value)
        const far = client.makeBidiStreamRequest(path, asItIs, asItIs, headers)
        near.on('data', (message: Buffer) => far.write(message))
        near.on('end', () => far.end())
        near.on('cancelled', () => far.cancel())
        far.on('data', (message: Buffer) => {
          near.write(message)
          if (!path.endsWith('/BatchAppend') || twice === 0) return
          twice--
          near.write(message)
        })
        far.on('error', (error) => near.emit('error', error))
        far.on('end', () => near.end())
      },
    ]),
  )
  server.addService(raw, handlers)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  )
  return {
    port,
    answerTwice: (times) => (twice = times),
    close: () => {
      client.close()
      server.forceShutdown()
    },
  }
}

type DuplexCall = Parameters<handleBidiStreamingCall<Buffer, Buffer>>[0]
