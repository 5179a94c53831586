from django.urls import path

from articles.rest import search, views

urlpatterns = [
    path("articles/", views.ArticleList.as_view(), name="article-list"),
    path("articles/<str:key>/", views.ArticleItem.as_view(), name="article-item"),
    path("authors/", views.AuthorList.as_view(), name="author-list"),
    path("authors/<str:key>/", views.AuthorItem.as_view(), name="author-item"),
    path("tags/", views.TagList.as_view(), name="tag-list"),
    path("tags/<str:key>/", views.TagItem.as_view(), name="tag-item"),
    path("search/", search.Search.as_view(), name="search"),
]
