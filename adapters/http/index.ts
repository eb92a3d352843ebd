export { httpHandler } from './handler.ts'
export type { HandledRequest, HttpHandlerOptions, HttpServerOptions } from './options.ts'
export { httpServer, type HttpServer, type ListenOptions } from './server.ts'
export { httpStatus } from './status.ts'
