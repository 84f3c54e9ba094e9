// Where the conversation can be moved to. The transcript, which is no component, says how.
export const scrolling = {
  toEnd: (): void => {},
  toLastPrompt: (): void => {},
  toTool: (_toolId: string): void => {},
};
