// Addresses at which somebody who has not signed in is refused with 403 instead of being challenged with 401. GeoNode does so, and
// its clients and their tests tell the two apart: groups, and who may do what with an item.

export function isClosedToVisitors(url: string): boolean {
  return /^\/api\/v2\/(?:groups|resources\/[^/?]+\/(?:get_perms|set_perms)|[a-z]+\/[^/?]+\/permissions)(?![^/?.])/.test(
    url,
  );
}
