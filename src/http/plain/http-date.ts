// The Date header's value, made once a second.

let atSecond = -1;
let text = '';

export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== atSecond) {
    atSecond = second;
    text = new Date(second * 1000).toUTCString();
  }
  return text;
}
