/** The id of an operation in the OpenAPI document, such as `Channels_pause`. */
export function operationId(controller: string, handler: string): string {
  return `${controller.replace(/Controller$/, '')}_${handler}`;
}
