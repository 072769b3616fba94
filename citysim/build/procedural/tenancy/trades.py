"""The trades of the embedded cities: what a place is, what it calls itself, where it sits and when it opens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word that ends names of a trade, in English and as a Hong Kong and a Tokyo sign have it."""

    english: str
    chinese: str
    japanese: str


@dataclass(frozen=True, slots=True)
class Business:
    """A kind of place: its OSM category and key, the storeys it takes ("g" ground, "u" upper), its hours, its words."""

    category: str
    key: str
    floors: str
    hours: str  # a key of citysim.build.procedural.tenancy.hours.TEMPLATES
    words: tuple[Word, ...]


_ROWS = """
cafe amenity gu early | Cafe 茶座 カフェ | Coffee 咖啡 珈琲 | Tea Room 茶室 茶房
bakery shop g early | Bakery 餅店 製菓 | Breads 麵包 パン
restaurant amenity gu meals | Kitchen 酒家 食堂 | Noodles 麵家 ラーメン | Grill 燒味 焼肉 | Dim Sum 茶樓 点心
fast_food amenity g meals | Snack Bar 快餐 弁当 | Dumplings 餃子 餃子
bar amenity gu night | Bar 酒吧 バー | Tavern 酒館 酒場
pub amenity gu night | Ale House 酒坊 居酒屋
ice_cream shop g long | Gelato 雪糕 氷菓
tea shop g day | Teas 茶莊 茶園
supermarket shop g long | Market 超市 市場
convenience shop g long | Corner 便利 売店 | Express 士多 商店
greengrocer shop g early | Fruits 果欄 青果
butcher shop g early | Butcher 肉店 肉屋
seafood shop g early | Seafood 海味 鮮魚
alcohol shop g long | Wines 酒行 酒店
pharmacy amenity g day | Pharmacy 藥房 薬局
herbalist shop g day | Herbs 參茸 漢方
cosmetics shop g day | Beauty 化妝 美容
hairdresser shop gu day | Hair 髮型 理髪 | Barber 理髮 床屋
massage shop u long | Massage 按摩 整体
optician shop g day | Optics 眼鏡 眼鏡
bank amenity g office | Bank 銀行 銀行
bureau_de_change amenity g day | Exchange 找換 両替
post_office amenity g office | Post 郵局 郵便
books shop gu day | Books 書局 書店
comics shop gu long | Comics 漫畫 漫画
stationery shop g day | Paper 文具 文具
art shop gu culture | Gallery 畫廊 画廊
music shop gu day | Music 音樂 音楽
clothes shop gu day | Clothing 服裝 洋服 | Fashion 時裝 衣料
tailor shop gu day | Tailor 洋服 仕立
shoes shop g day | Shoes 鞋店 靴店
bag shop g day | Bags 皮具 鞄店
jewelry shop g day | Jewels 珠寶 宝石 | Gold 金行 貴金
watches shop g day | Watches 鐘錶 時計
florist shop g early | Flowers 花店 花屋
toys shop gu day | Toys 玩具 玩具
hobby shop gu long | Models 模型 模型 | Figures 公仔 人形
games shop gu long | Games 遊戲 遊技
video_games shop gu long | Arcade 機舖 電玩
electronics shop gu day | Radio 電器 無線 | Denki 電業 電気 | Parts 零件 部品
computer shop gu day | Computer 電腦 電脳
mobile_phone shop g day | Phones 通訊 携帯
camera shop gu day | Camera 攝影 写真
hardware shop g day | Tools 五金 金物
furniture shop gu day | Home 傢俬 家具
gift shop g day | Gifts 禮品 土産
sports shop gu day | Sports 體育 運動
bicycle shop g day | Cycles 單車 自転車
laundry shop g long | Laundry 洗衣 洗濯
travel_agency shop gu office | Travel 旅行 旅行
pet shop g day | Pets 寵物 動物
estate_agent office gu office | Homes 地產 不動産
lawyer office u office | Law 律師 法務
accountant office u office | Accounts 會計 会計
architect office u office | Design 設計 設計
company office u office | Trading 貿易 商事 | Works 實業 工業 | Shipping 船務 海運
educational_institution office u evening | Academy 學院 学院
language_school amenity u evening | Language 語文 語学
music_school amenity u evening | Piano 琴行 琴室
dentist amenity u office | Dental 牙科 歯科
doctors amenity u office | Clinic 診所 医院
fitness_centre leisure u long | Gym 健身 体育
dance leisure u evening | Dance 舞蹈 舞踊
karaoke_box amenity u night | Karaoke 唱歌 カラオケ
hostel tourism u always | Rooms 賓館 宿泊
cinema amenity g long | Cinema 戲院 映画
pawnbroker shop g day | Pawn 大押 質屋
photo shop g day | Photo 影樓 写真館
fabric shop g day | Silks 綢緞 呉服
copyshop shop g office | Print 印刷 印刷
"""  # fmt: skip
_PUBLIC_ROWS = """
hotel tourism g always | Hotel 酒店 旅館
museum tourism g culture | Museum 博物館 博物館
library amenity g culture | Library 圖書館 図書館
school amenity g office | School 學校 学校
place_of_worship amenity g culture | Church 教堂 教会 | Temple 廟 寺
theatre amenity g night | Theatre 劇院 劇場
townhall amenity g office | Town Hall 大會堂 会館
police amenity g always | Police 警署 交番
hospital amenity g always | Hospital 醫院 病院
marketplace amenity g early | Bazaar 街市 市場
community_centre amenity g evening | Hall 會堂 会館
kindergarten amenity g office | Nursery 幼稚園 保育園
kiosk shop g long | Kiosk 報攤 売店
fire_station amenity g always | Fire Hall 消防局 消防署
department_store shop g long | Store 百貨 百貨
parking amenity g always | Parking 停車場 駐車場
food_court amenity g meals | Food Court 茶座 食堂
playground leisure g always | Play 遊戲 遊技
"""


def _read(rows: str) -> tuple[Business, ...]:
    found = []
    for row in rows.strip().splitlines():
        head, *words = (part.strip() for part in row.split("|"))
        category, key, floors, hours = head.split()
        found.append(Business(category, key, floors, hours, tuple(Word(*w.rsplit(" ", 2)) for w in words)))
    return tuple(found)


BUSINESSES = _read(_ROWS)
PUBLIC = {b.category: b for b in _read(_PUBLIC_ROWS)}
BY_CATEGORY = {b.category: b for b in BUSINESSES} | PUBLIC
