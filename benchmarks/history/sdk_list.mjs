// Lists sessions with the official SDK and prints how many there are and how long the call itself
// took, the start of node and the import left out. Usage: node sdk_list.mjs SDK-MODULE
const sdk = await import(process.argv[2]);
const begun = performance.now();
const sessions = await sdk.listSessions();
const milliseconds = performance.now() - begun;
process.stdout.write(JSON.stringify({ sessions: sessions.length, milliseconds }));
