const MEGA = 1024 * 1024;

/** A size for people: "812 kB", "4.9 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < MEGA) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / MEGA).toFixed(1).replace('.0', '')} MB`;
}

/** A span of time for people: "less than 10 seconds", "about 40 seconds", "about 3 minutes". */
export function spanText(seconds: number): string {
  if (seconds < 10) return 'less than 10 seconds';
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} seconds`;
  return `about ${Math.ceil(seconds / 60)} minutes`;
}
