# OWSLib reads a portal's services: python3 read_with_owslib.py URL
import json
import sys

from owslib.csw import CatalogueServiceWeb
from owslib.ogcapi.features import Features
from owslib.wcs import WebCoverageService
from owslib.wfs import WebFeatureService
from owslib.wms import WebMapService
from owslib.wmts import WebMapTileService

url = sys.argv[1]
wms = WebMapService(url + "/wms", version="1.3.0")
picture = wms.getmap(
    layers=["portal:parcels"], styles=[""], srs="EPSG:4326", bbox=(0, 40, 10, 50), size=(64, 64), format="image/png"
)
wfs = WebFeatureService(url + "/wfs", version="2.0.0")
features = json.loads(wfs.getfeature(typename=["portal:parcels"], outputFormat="application/json").read())
csw = CatalogueServiceWeb(url + "/csw")
csw.getrecords2(maxrecords=10)
api = Features(url + "/ogc/")
print(
    json.dumps(
        {
            "wms": sorted(wms.contents),
            "picture": picture.read()[1:4].decode(),
            "wfs": sorted(wfs.contents),
            "features": sorted(f["properties"]["name"] for f in features["features"]),
            "wmts": sorted(WebMapTileService(url + "/wmts").contents),
            "wcs": sorted(WebCoverageService(url + "/wcs", version="2.0.1").contents),
            "csw": sorted(r.title for r in csw.records.values()),
            "items": len(api.collection_items("parcels")["features"]),
        }
    )
)
