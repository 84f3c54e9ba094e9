// A reverse proxy that serves a hub below a path, as nginx and Caddy do in docs/deploy.md.
import http from 'node:http';
import net from 'node:net';

/** Starts it; {url, stop}. */
export async function startSubPathProxy(path, port) {
  const inner = (url) => (url.startsWith(path) ? url.slice(path.length - 1) : null);
  const server = http.createServer((request, response) => {
    const target = inner(request.url);
    if (!target) return response.writeHead(404).end();
    const { method, headers } = request;
    const onward = http.request(
      { host: '127.0.0.1', port, method, path: target, headers },
      (answer) => {
        response.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const sockets = new Set();
  server.on('upgrade', (request, client, early) => {
    const target = inner(request.url);
    if (!target) return client.destroy();
    const onward = net.connect(port, '127.0.0.1', () => {
      const lines = [`GET ${target} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(early);
      client.pipe(onward).pipe(client);
    });
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
